pytest_plugins = ["companion.kit.plugin"]
