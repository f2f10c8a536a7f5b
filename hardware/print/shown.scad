// What the pictures in the guide show: the printed parts with what goes into them. Not for printing.

use <seat-pod.scad>
use <reader-frame.scad>
use <card-jig.scad>

scene = "pod";     // "pod", "frame" or "jig"

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

module held() {
    color("gainsboro") render() frame();
    translate([0, 0, 14]) {
        color("firebrick") translate([-42.7 / 2, -40.4 / 2, 0]) cube([42.7, 40.4, 1.6]);
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

$fa = 3;
$fs = 0.5;
if (scene == "pod") pod();
else if (scene == "frame") held();
else stuck();
