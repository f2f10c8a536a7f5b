"""What a club's tables tell, followed and kept: who is there, what is played, and every result once."""
