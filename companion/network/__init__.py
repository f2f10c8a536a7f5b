"""The network on which phones find the table: an existing one, or the table's own."""
