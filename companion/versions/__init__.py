"""Versions of the companion installed side by side, one of them current, with updates on trial."""
