"""The style sheets, rewritten for older browsers."""
