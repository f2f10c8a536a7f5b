// SPDX-License-Identifier: CC-BY-4.0
// Holds a PN532 board flat under the wood. The pocket faces the wood; the board lies in it with its smooth back up, its
// parts and plugs look down through the window. Prints as it is, without supports.

include <sizes.scad>

gap = 2;           // between board and wood, for the wire soldered to RSTPD_N on the back
ear = 12;

pocket = gap + reader_thick;
height = floor_ + pocket;
x = reader.x + slack + 2 * wall;
y = reader.y + slack + 2 * wall;

module outline() {
    difference() {
        union() {
            square([x, y], center = true);
            ears() square([ear, 16], center = true);
        }
        ears() circle(d = wood_screw);
    }
}

module ears() {
    for (s = [-1, 1]) translate([s * (x / 2 + ear / 2 - 1), 0]) children();
}

module frame() difference() {
    union() {
        layer(0, floor_) difference() {
            outline();
            square([reader.x - 2 * ledge, reader.y - 2 * ledge], center = true);
        }
        layer(floor_, height) difference() {
            outline();
            square([reader.x + slack, reader.y + slack], center = true);
        }
    }
    // The wire from the board's back comes out through one slot; both, and the ears' notches, mark the middle.
    translate([0, 0, height]) cube([3, 2 * y, 2 * gap], center = true);
    for (s = [-1, 1]) translate([s * (x / 2 + ear - 1), 0, height]) rotate(45) cube([2, 2, 2], center = true);
}

frame();
