"""Past matches, looked at again beside the live table: archive, standings, charts."""
