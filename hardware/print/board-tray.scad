// Holds the bus board or the box's board under the wood, which closes it. The board's sockets look out of the open front,
// the Pico's cable and the flat cable leave through the slot in the back. Prints as it is, without supports.

include <sizes.scad>

holds = "box";     // or "bus"

// The sizes of the two boards as hardware/pcb makes them.
board = holds == "bus" ? [135.89, 73.23] : [135.89, 81.82];
inset = 3.5;       // of its four holes from its edges
room = 24;         // above the board: a Pico in its strips, a flat cable
post = 5;          // below it: pins and solder
thick = 1.6;

x = board.x + 2 * slack + 2 * wall;
y = board.y + slack + wall;
height = floor_ + post + thick + room;

module corner() {
    translate([-board.x / 2, -y / 2]) children();
}

module vents() {
    for (n = [-4 : 4]) translate([n * board.x / 11, 0]) square([3, board.y - 30], center = true);
}

module posts() {
    corner() for (at_x = [inset, board.x - inset], at_y = [inset, board.y - inset]) translate([at_x, at_y]) difference() {
        circle(d = 7);
        circle(d = pilot);
    }
}

module tray() {
    layer(0, floor_) difference() {
        square([x, y], center = true);
        vents();
    }
    layer(floor_, floor_ + post) posts();
    difference() {
        layer(floor_, height) difference() {
            square([x, y], center = true);
            translate([0, -wall]) square([x - 2 * wall, y], center = true);
        }
        // Where cables leave: the USB cable and the flat cable.
        translate([0, y / 2, height]) cube([board.x * 0.7, 4 * wall, 2 * (room - 8)], center = true);
    }
    for (s = [-1, 1]) scale([s, 1, 1]) translate([x / 2, 0, 0]) ear(height);
}

tray();
