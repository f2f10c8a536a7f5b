"""Who asks, in which language, and how it is answered."""
