// SPDX-License-Identifier: CC-BY-4.0
// What the pictures in the guide show: the printed parts with what goes into them. Not for printing.

include <sizes.scad>
use <seat-pod.scad>
use <reader-frame.scad>
use <reader-puck.scad>
use <card-jig.scad>
use <pi-tray.scad>

scene = "pod";     // "pod", "puck", "frame", "jig" or "pi"

module pod() {
    translate([0, 0, 62]) rotate([180, 0, 0]) color("gainsboro") render() body();
    color("gray") render() base();
    translate([-10, 0, 78]) {
        color("firebrick") cylinder(d = 24, h = 6);
        color("black") {
            cylinder(d = 33, h = 2.5);
            translate([0, 0, -14]) cylinder(d = 29, h = 14);
        }
    }
    translate([100, -6, 6]) rotate([38, 0, 0]) {
        color("gainsboro") render() body();
        translate([24, 0, 22]) {
            color("seagreen") cylinder(d = 10, h = 1.6);
            color("white") translate([-2.5, -2.5, -1.6]) cube([5, 5, 1.6]);
        }
    }
}

// The board above its puck, its parts down; the cable's pairs side by side in the slot; the mat, cut away.
module flat() {
    color("gainsboro") render() puck();
    translate([0, 0, 16]) {
        color("firebrick") translate([-reader.x / 2, -reader.y / 2, 0]) cube([reader.x, reader.y, reader_thick]);
        color("black") for (x = [-14, 6]) translate([x, -6, -2.6]) cube([8, 12, 2.6]);
    }
    for (n = [0 : 3]) color(["orange", "seagreen", "royalblue", "sienna"][n])
        translate([20, 2 * n - 3, 2.2]) rotate([0, 90, 0]) cylinder(d = 1.6, h = 50);
    translate([0, 0, 30]) color("darkolivegreen", 0.5) translate([-50, -10, 0]) cube([90, 50, 3]);
}

module held() {
    color("gainsboro") render() frame();
    translate([0, 0, 14]) {
        color("firebrick") translate([-reader.x / 2, -reader.y / 2, 0]) cube([reader.x, reader.y, reader_thick]);
        color("black") translate([-9, -14, -8.5]) cube([20, 2.5, 8.5]);
    }
    translate([0, 0, 30]) color("burlywood", 0.4) translate([-50, -32, 0]) cube([100, 64, 8]);
}

module card() {
    color("lightsteelblue") linear_extrude(0.4) offset(3) square([57, 82], center = true);
}

module stuck() {
    card();
    translate([0, 0, 0.4]) color("goldenrod") cylinder(d = 25, h = 0.3);
    translate([85, 0, 0]) {
        card();
        translate([0, 0, 0.4]) color("goldenrod") cylinder(d = 25, h = 0.3);
        translate([0, 0, 2.4]) color("steelblue") rotate([0, 180, 0]) render() jig();
    }
    translate([170, 0, 0]) color("steelblue") render() jig();
}

// A Pi 4 and what is plugged in.
module pi() {
    color("gainsboro") render() tray();
    translate([0, 0, 8]) {
        color("seagreen") cube([85, 56, 1.4]);
        translate([0, 0, 1.4]) {
            color("silver") for (y = [9, 27]) translate([71, y - 6.5, 0]) cube([17, 13, 16]);
            color("silver") translate([67, 38, 0]) cube([21, 16, 13.5]);
            color("silver") for (x = [11.2, 26, 39.5]) translate([x - 4, -1, 0]) cube([8, 7, 3.2]);
            color("black") translate([7, 50, 0]) cube([51, 5, 8.5]);
            color("dimgray") translate([22, 25, 0]) cube([15, 15, 2.4]);
        }
    }
    color("firebrick") translate([-12, 46, 3]) cylinder(d = 15, h = 3);
    color("dimgray") translate([-12, 46, 3]) cylinder(d = 11.8, h = 18);
}

$fa = 3;
$fs = 0.5;
if (scene == "pod") pod();
else if (scene == "puck") flat();
else if (scene == "frame") held();
else if (scene == "pi") pi();
else stuck();
