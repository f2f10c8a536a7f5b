// SPDX-License-Identifier: CC-BY-4.0
// Holds the bus board or the box's board under the wood, which closes it. The board's sockets look out of the open front,
// the flat cable leaves through the slot in the back, the Pico's plug through the notch in the left wall. Prints as it is,
// without supports.

include <sizes.scad>
include <boards.scad>

holds = "box";     // or "bus"

board = holds == "bus" ? bus_board : box_board;
room = 24;         // above the board: a Pico in its strips, a flat cable
post = 5;          // below it: pins and solder
thick = 1.6;
plug = 14;         // as wide as the biggest plug of a micro USB cable, and room to hold it
under_plug = 4;    // from the board up to it

x = board.x + 2 * slack + 2 * wall;
y = board.y + slack + wall;
height = floor_ + post + thick + room;

module corner() {
    translate([-board.x / 2, -y / 2]) children();
}

module vents() {
    for (n = [-4 : 4]) translate([n * board.x / 11, 0]) square([3, board.y - 30], center = true);
}

module screws() {
    corner() for (at_x = [inset, board.x - inset], at_y = [inset, board.y - inset]) translate([at_x, at_y]) children();
}

module posts() {
    screws() circle(d = 7);
}

module tray() {
    layer(0, floor_) difference() {
        square([x, y], center = true);
        vents();
        screws() circle(d = 6);
    }
    // The hole for a screw's thread goes through the floor: no screw is too long for it.
    difference() {
        layer(0, floor_ + post) posts();
        layer(-1, floor_ + post + 1) screws() circle(d = pilot);
    }
    difference() {
        layer(floor_, height) difference() {
            square([x, y], center = true);
            translate([0, -wall]) square([x - 2 * wall, y], center = true);
        }
        // Where cables leave: the flat cable, and the Pico's.
        translate([0, y / 2, height]) cube([board.x * 0.7, 4 * wall, 2 * (room - 8)], center = true);
        if (holds == "box")
            translate([-x / 2 - 1, pico_plug - y / 2 - plug / 2, floor_ + post + thick + under_plug])
                cube([wall + 2, plug, height]);
    }
    for (s = [-1, 1]) scale([s, 1, 1]) translate([x / 2, -10, 0]) ear(height);
}

tray();
