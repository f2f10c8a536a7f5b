"""What owners measure on a real table, and which of the guide's assumptions hold there."""
