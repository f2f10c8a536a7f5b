"""Slips: one card at a wrong pad, missed, or read too many, and people who then do only what the table tells them."""
