"""What a phone may want done, who may have it done alone, and whom others must ask first."""
