"""What a game is tested with: laws, a language for tables, transcripts. A pytest plugin: `companion.kit.plugin`."""
