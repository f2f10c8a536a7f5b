"""What the commands do; `companion.cli` says how they are called."""
