"""The style sheets, rewritten for browsers older than they are."""
