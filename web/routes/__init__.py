"""What a phone may call, one module a subject."""
