"""Setting a table up by tapping it: which reader and which button belongs to which place."""
