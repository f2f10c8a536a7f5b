// SPDX-License-Identifier: CC-BY-4.0
// Two blocks for trying a PN532 board on the desk: `companion check table.toml --reader centre` asks for one after the other.
// They lie on the smooth back of the board, the sticker on top. Prints as they are, without supports, 15 % infill.

include <sizes.scad>

heights = [10, 20];

// A dent in the middle says where the sticker's middle goes.
module spacer(height) difference() {
    layer(0, height) square(reader, center = true);
    translate([0, 0, height - 0.6]) cylinder(d = 4, h = 1);
}

for (n = [0 : len(heights) - 1]) translate([n * (reader.x + 6), 0, 0]) spacer(heights[n]);
