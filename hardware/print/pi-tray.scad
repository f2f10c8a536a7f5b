// SPDX-License-Identifier: CC-BY-4.0
// Holds a Raspberry Pi 3, 4 or 5 under the wood, which closes it: its parts look up, to the wood. What is plugged in leaves
// through notches that all three share; the button that switches it on and off looks down, beside the memory card's
// window. Prints as it is, without supports.

include <sizes.scad>

board = [85, 56];                       // of all three, as their maker draws it; x from the memory card to the USB sockets
holes = [[3.5, 3.5], [61.5, 3.5], [3.5, 52.5], [61.5, 52.5]];
thread = 2.1;      // an M2.5 screw cuts its own thread into it
post = 5;          // below the board: pins, and the memory card
thick = 1.6;
room = 26;         // above it: jumper wires on the header, a Pi 5's cooler
button_hole = 12;  // a push button with a nut
beside = 24;       // room for it, next to the memory card

height = floor_ + post + thick + room;
under = floor_ + post;
gap = slack / 2;
low = [-beside - gap, -gap];
high = [board.x + gap, board.y + gap];

module rectangle(from, to) {
    translate(from) square(to - from);
}

module around(more) {
    rectangle(low - [more, more], high + [more, more]);
}

// From a height up to the wood, through a wall.
module notch(from, to, at) {
    translate([from.x, from.y, at]) cube([to.x - from.x, to.y - from.y, height]);
}

module base() {
    difference() {
        around(wall);
        for (n = [0 : 6]) translate([20 + 6 * n, 10]) square([3, 36]);
        for (n = [0 : 2]) translate([67 + 6 * n, 10]) square([3, 36]);
        for (at = holes) translate(at) circle(d = 5);
        rectangle([-9, 18], [12, 38]);  // a finger reaches the memory card
        translate([-beside / 2, 46]) circle(d = button_hole + slack);
    }
}

module walls() difference() {
    layer(0, height) difference() {
        around(wall);
        around(0);
    }
    notch([3, -9], [62, 9], under - 2);                    // power, screens, sound
    notch([board.x - 9, 1], [board.x + 9, 55], under - 1); // USB and network
    notch([4, board.y - 9], [61, board.y + 9], under + thick + 6); // the header's cables
    for (at = [8 : 10 : 48]) notch([low.x - 9, at], [low.x + 9, at + 4], under + thick + 6);
}

module tray() {
    layer(0, floor_) base();
    // A screw's thread goes through the floor: no screw is too long for it.
    difference() {
        layer(0, under) for (at = holes) translate(at) circle(d = 6);
        layer(-1, under + 1) for (at = holes) translate(at) circle(d = thread);
    }
    walls();
    for (at = [-beside / 2, 74]) {
        translate([at, high.y + wall, 0]) rotate(90) ear(height);
        translate([at, low.y - wall, 0]) rotate(-90) ear(height);
    }
}

tray();
