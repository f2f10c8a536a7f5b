"""What a game is tested with: laws, a language for tables, transcripts. For pytest: `companion.kit.pytest_plugin`."""
