// SPDX-License-Identifier: CC-BY-4.0
// Sizes that all printed parts share, in millimetres. Change them here, or on the command line with -D.

wall = 2.4;        // six lines of a 0.4 mm nozzle: takes a fist on the table, and is printed without gaps
floor_ = 3;        // what a screw or a button holds on to
slack = 0.4;       // between a printed pocket and what goes into it
pilot = 2.5;       // an M3 screw cuts its own thread into it
through = 3.4;     // an M3 screw passes
wood_screw = 4;    // a 3.5 mm wood screw passes
reader = [42.7, 40.4]; // the common red PN532 board, as its maker draws it: measure yours
reader_thick = 1.6;
ledge = 2.2;       // no part of it stands closer to its edge

// How round is round: enough for a printer, and drawn in seconds.
$fa = 8;
$fs = 0.9;

// A layer of a part: a flat shape from one height to another.
module layer(from, to) {
    translate([0, 0, from]) linear_extrude(to - from) children();
}

// Where a tray is screwed to the wood: out from a wall whose outer face is at x = 0, up to a height. Below it a slope,
// that it prints without supports.
module ear(height, out = 15) {
    translate([-1, 0, 0]) difference() {
        hull() {
            translate([0, -9, height - 4]) cube([out, 18, 4]);
            translate([0, -9, height - 4 - out]) cube([0.5, 18, 1]);
        }
        translate([out / 2 + 1, 0, 0]) {
            cylinder(d = 9, h = height - 4);
            translate([0, 0, height - 4]) cylinder(d1 = 9, d2 = wood_screw - 1, h = 3.2);
            cylinder(d = wood_screw, h = height + 1);
        }
    }
}
