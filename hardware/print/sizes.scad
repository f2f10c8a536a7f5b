// Sizes that all printed parts share, in millimetres. Change them here, or on the command line with -D.

wall = 2.4;        // six lines of a 0.4 mm nozzle: takes a fist on the table, and is printed without gaps
floor_ = 3;        // what a screw or a button holds on to
slack = 0.4;       // between a printed pocket and what goes into it
pilot = 2.5;       // an M3 screw cuts its own thread into it
through = 3.4;     // an M3 screw passes
wood_screw = 4;    // a 3.5 mm wood screw passes

// How round is round: enough for a printer, and drawn in seconds.
$fa = 8;
$fs = 0.9;

// A layer of a part: a flat shape from one height to another.
module layer(from, to) {
    translate([0, 0, from]) linear_extrude(to - from) children();
}
