"""The club's hub: follows all tables at the broker, keeps every result, and runs seasons and tournaments."""
