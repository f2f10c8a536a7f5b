"""Clubs: many tables at one MQTT broker. The messages between them, a table's publisher, and the hub."""
