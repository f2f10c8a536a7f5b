"""The network that phones find the table in: one that people have, or the table's own."""
