"""Home automation: publishes what happens at a table, as it happens, to an MQTT broker and to webhooks.

Only what everybody sees is published, and not before the big screen has shown it. Nothing in play waits for it.
"""
