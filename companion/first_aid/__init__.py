"""First aid for a table that can't start: finds what is wrong, and carries out remedies chosen on a page."""
