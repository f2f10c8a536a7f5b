"""The table's network, an existing one or its own, and the addresses at which phones find it."""
