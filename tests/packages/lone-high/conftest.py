pytest_plugins = ["companion.kit.pytest_plugin"]
