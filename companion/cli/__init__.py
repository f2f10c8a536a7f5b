"""How the commands are called: their arguments and options, and what they say when something is wrong."""
