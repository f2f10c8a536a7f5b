"""The table in play: what is sensed or entered is recorded, judged, shown."""
