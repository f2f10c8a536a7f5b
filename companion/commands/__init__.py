"""What the commands do; `companion.__main__` says how they are called."""
