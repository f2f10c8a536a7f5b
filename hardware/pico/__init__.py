"""One `.uf2` that makes a Pico, or a Pico 2, the buzzer box: `make uf2`."""
