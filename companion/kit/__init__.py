"""What a game is tried with: laws, a table's language, transcripts. A pytest plugin: `companion.kit.pytest_plugin`."""
