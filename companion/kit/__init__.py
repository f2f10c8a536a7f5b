"""The test kit for games: laws, a language for tables, transcripts. For pytest: `companion.kit.pytest_plugin`."""
