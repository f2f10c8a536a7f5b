"""The routes that phones call, one module for each subject."""
