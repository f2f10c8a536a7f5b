// SPDX-License-Identifier: CC-BY-4.0
// Puts every sticker at the same spot: lay the jig over the card, rim down, push the card into a corner of it, put the
// sticker through the window and press. For another spot than the middle set at_x and at_y. Prints as it is, without
// supports: the window's plate lies on the bed, the rim stands up.

include <sizes.scad>

card_x = 63;       // the card as it is, without its sleeve: measure yours. Common: 63 x 88, 59 x 92, 56 x 87, 44 x 68
card_y = 88;
card_corner = 3;   // for round tokens: half of card_x
sticker = 25;      // its diameter
at_x = 0;          // the sticker's middle, from the card's middle; seen from the rim's side
at_y = 0;
plate = 2;
rim = 1.5;         // deep enough to hold a card by its edges

y = card_y + slack + 2 * wall;

module shape(more) {
    offset(card_corner + more)
        square([max(card_x - 2 * card_corner, 0.01), max(card_y - 2 * card_corner, 0.01)], center = true);
}

module jig() difference() {
    union() {
        layer(0, plate) difference() {
            shape(slack / 2 + wall);
            translate([at_x, at_y]) circle(d = sticker + 2 * slack);
        }
        layer(plate, plate + rim) difference() {
            shape(slack / 2 + wall);
            shape(slack / 2);
        }
    }
    // Thumb holes: to hold the card down, and to push it out.
    for (s = [-1, 1]) translate([0, s * y / 2, -1]) cylinder(d = 18, h = plate + rim + 2);
}

jig();
