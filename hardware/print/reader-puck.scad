// SPDX-License-Identifier: CC-BY-4.0
// Holds a PN532 board on the table, under a mat: no wood between, no router. The board lies in it with its smooth back
// up, its parts down; its wires are soldered flat, without pin headers, and leave through the slot, over the table's edge.
// The slot is in the middle of one of the two shorter sides (reader.y): the board's edge of that length that is nearer to
// the soldered pads lies there.
// Held by double-sided tape. Prints as it is, without supports.

include <sizes.scad>

room = 4.4;        // below the board: its highest part and the wires
skin = 1.2;        // below that
slope = 14;        // around it, so that the mat makes no step
cable = 9;         // a Cat 5e cable, or its four pairs side by side

height = skin + room + reader_thick;

module pocket(more) {
    square([reader.x + slack + 2 * more, reader.y + slack + 2 * more], center = true);
}

module puck() difference() {
    hull() {
        layer(0, 0.8) offset(4) offset(-4) pocket(wall + slope);
        layer(height - 0.1, height) pocket(wall);
    }
    layer(skin + room, height + 1) pocket(0);
    layer(skin, height) square([reader.x - 2 * ledge, reader.y - 2 * ledge], center = true);
    // The cable lies in a slot from below the board to the edge.
    translate([0, -cable / 2, skin]) cube([reader.x / 2 + wall + slope + 1, cable, height]);
}

puck();
