"""The setup: finds a table's devices, assigns each to a place by taps and presses, and writes the settings file."""
