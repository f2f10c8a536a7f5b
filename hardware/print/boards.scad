// SPDX-License-Identifier: CC-BY-4.0
// The sizes of the printed boards, in millimetres: written by `make hardware` from hardware/pcb/boards.py.
bus_board = [139.7, 76.2];
box_board = [151.13, 81.28];
inset = 3.6;       // of a board's four holes from its edges
pico_plug = 57.15; // the middle of the Pico's USB socket, from the terminals' edge
