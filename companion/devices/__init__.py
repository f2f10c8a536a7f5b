"""What the table senses. Knows no game.

One module a driver, chosen by name in `table.toml`. A driver tells `sensing` values; nothing else leaves this folder.
"""
