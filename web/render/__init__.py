"""What a phone sees. Knows no request."""
