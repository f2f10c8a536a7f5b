"""The Pi's side of `firmware/protocol.md`: lines, clock, presses told once, one connection."""
