"""What the Pi's side of `firmware/protocol.md` takes: lines, clock, presses told once, one connection."""
