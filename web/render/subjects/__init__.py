"""What pages show, one module per subject: its current state, how much of it a page may show, its template names."""
