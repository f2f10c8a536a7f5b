// SPDX-License-Identifier: CC-BY-4.0
// A pod for a seat: an arcade button, a lamp beside it, a hole for the cable. Prints as it is, without supports: the
// body stands on its top, the base lies beside it. White or another light colour, for the lamp shines through the top.

include <sizes.scad>

button_hole = 30;  // arcade button of the 30 mm kind (OBSF-30 and its copies): snaps into a top of 2 to 4 mm
button_room = 36;  // its height below the top, with the plugs on its contacts: measure yours
lamp_board = 10;   // round board with one WS2812B
lamp_skin = 0.6;   // what the light shines through: three layers of 0.2
cable_hole = 7;    // Cat 5e cable, with a knot or a cable tie inside against pulling

x = 76;
y = 56;
corner = 8;
button_at = -10;   // along x, from the middle
lamp_at = 24;
post = 8;
post_x = x / 2 - wall - post / 2 + 1;    // one millimetre into the wall, so that both are one piece
post_y = y / 2 - wall - post / 2 + 1;
height = floor_ + button_room;

module at_posts() {
    for (sx = [-1, 1], sy = [-1, 1]) translate([sx * post_x, sy * post_y]) children();
}

module outline() {
    offset(corner) square([x - 2 * corner, y - 2 * corner], center = true);
}

module shell() {
    difference() {
        outline();
        offset(-wall) outline();
    }
    at_posts() circle(d = post);
}

module top() {
    difference() {
        outline();
        if (button_hole > 0) translate([button_at, 0]) circle(d = button_hole + slack);
    }
}

module lamp() {
    translate([lamp_at, 0]) circle(d = lamp_board + slack);
}

// Stands on its top: z = 0 is what hands touch.
module body() {
    layer(0, lamp_skin) top();
    layer(lamp_skin, floor_) difference() {
        top();
        lamp();
    }
    layer(floor_, floor_ + 2) {
        shell();
        difference() {
            offset(wall) lamp();
            lamp();
        }
    }
    layer(floor_ + 2, height - 12) shell();
    layer(height - 12, height - cable_hole) difference() {
        shell();
        at_posts() circle(d = pilot);
    }
    // The cable leaves through a notch in the rim, which the base closes.
    layer(height - cable_hole, height) difference() {
        shell();
        at_posts() circle(d = pilot);
        translate([0, y / 2]) square([cable_hole, 4 * wall], center = true);
    }
}

// z = 0 lies on the table, on hook-and-loop tape: the screws into the body come from there.
module base() {
    difference() {
        layer(0, floor_) difference() {
            outline();
            at_posts() circle(d = through);
        }
        at_posts() translate([0, 0, -1]) cylinder(d1 = 8.6, d2 = through - 0.8, h = 3);
    }
}

translate([0, y / 2 + 4]) body();
translate([0, -y / 2 - 4]) base();
