"""What outlasts a power cut: the log, its integrity, durable files."""
