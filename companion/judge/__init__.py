"""From a record to what it means. Pure."""
