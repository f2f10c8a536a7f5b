"""The content of the pages, independent of any request."""
