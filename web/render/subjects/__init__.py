"""What pages show, a module a subject: what it is now, how much of it a page may know, what templates find of it."""
