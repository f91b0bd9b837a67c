// What is bought, as bodies: for the pictures, and for tests that see whether all of it has room. bought.scad has the
// dimensions; a body is as large as its part may be. Nothing here is printed.

include <bought.scad>

// [glass, active area, depth, rim, socket of the ribbon] of a display.
touch_display = [touch_display_glass, touch_display_active, touch_display_depth, touch_display_rim, touch_display_socket];
touch_display_2 = [touch_display_2_glass, touch_display_2_active, touch_display_2_depth, touch_display_2_rim, touch_display_2_socket];

module rounded(size, r) {
    linear_extrude(size[2]) offset(r) offset(-r) square([size[0], size[1]], center = true);
}

function sockets_y(model) = nominal(model == 5 ? pi5_sockets_y : pi4_sockets_y);

// A Pi with its plugs, lying as its drawing has it: power, HDMI and audio along y = 0, USB at the far x.
module pi_likeness(model = 4, ribbon = false) {
    board = nominal(pi_board);
    color("#2e7d4f") difference() {
        translate([board[0] / 2, board[1] / 2, 0]) rounded(board, 3);
        for (x = [0, 1], y = [0, 1])
            translate([nominal(pi_hole_first)[0] + x * nominal(pi_hole_pitch)[0],
                       nominal(pi_hole_first)[1] + y * nominal(pi_hole_pitch)[1], -1])
                cylinder(d = nominal(pi_hole_d), h = 4, $fn = 24);
    }
    color("#c9ccd1") {
        lips = most(pi_usb);
        for (y = sockets_y(model)) translate([66, y - lips[0] / 2, 1.4])
            cube([19 + most(pi_usb_out), lips[0], lips[1]]);
        plugs = nominal(pi_plugs_x);
        translate([plugs[0] - 4.5, -1.2, 1.4]) cube([9, 7.4, 3.2]);
        for (x = [plugs[1], plugs[2]]) translate([x - 3.5, -1.2, 1.4]) cube([7, 7, 3]);
        translate([22, 25, 1.4]) cube([15, 15, 2.4]);
    }
    color("#e9e4d4") translate([nominal(pi_display)[0] - 1.5, nominal(pi_display)[1] - 11, 1.4])
        cube([3, 22, nominal(pi_display_high)]);
    color("#222") translate([nominal(pi_header)[0], nominal(pi_header)[1], 1.4]) cube([51, 5, most(pi_header_high)]);
    if (ribbon) color("#666a70") translate([nominal(pi_header)[0] - 3, nominal(pi_header)[1] - 1, 4])
        cube([57, 7, most(idc_high) - 2.6]);
}

// What is plugged into the back of a Pi while it plays: moulded ends of USB-C, HDMI and a 3.5 mm plug.
module pi_plugs(model = 4) {
    plugs = nominal(pi_plugs_x);
    color("#30343a") {
        translate([plugs[0] - 6, -32, 0]) cube([12, 30, 7]);
        translate([plugs[1] - 5.5, -32, 0]) cube([11, 30, 7]);
        if (model == 4) translate([plugs[3], -2, 4.4]) rotate([90, 0, 0]) cylinder(d = 8.5, h = 30, $fn = 32);
    }
}

// The glass lies against z = 0, its face up.
module display_likeness(display) {
    glass = most(display[0]);
    rim = display[3][0];
    color("#16181c") translate([0, 0, -rim[0]]) rounded([glass[0], glass[1], rim[0]], 4);
    color("#2b4a6f") translate([0, 0, -0.1]) cube([nominal(display[1])[0], nominal(display[1])[1], 0.19], center = true);
    deep = most(display[2]) - rim[0];
    // right of the socket of its ribbon it is less deep
    socket = nominal(display[4]);
    bay = nominal(display_ribbon)[0] + 6;
    color("#9aa0a6") difference() {
        translate([0, 0, -rim[0] - deep / 2]) cube([glass[0] - 26, glass[1] - 2 * rim[1], deep], center = true);
        translate([socket[0], socket[1] - bay / 2, -60]) cube([glass[0], bay, 60 - socket[2] + 2]);
    }
}

// A button in a panel of this thickness, whose outer face is z = 0.
module button_likeness(button, colour, panel = 3) {
    b = nominal(button);
    color(colour) translate([0, 0, 2]) scale([1, 1, 2 * (b[3] - 2) / b[0]]) difference() {
        sphere(d = b[0] - 4, $fn = 64);
        translate([0, 0, -100]) cube(200, center = true);
    }
    color("#23262b") {
        cylinder(d1 = b[0], d2 = b[0] - 2, h = 2, $fn = 64);
        translate([0, 0, -panel - 0.5]) cylinder(d = b[1] - 0.6, h = panel + 0.5, $fn = 48);
        translate([0, 0, -most(button)[2]]) cylinder(d = b[1] - 0.6, h = most(button)[2] - panel, $fn = 48);
    }
}

// The membrane on a face at z = 0, with the first bend of its tail, which goes down by so much.
module keypad_likeness(down = 30) {
    size = nominal(keypad_size);
    color("#1d2126") rounded(size, 2);
    for (row = [0 : 3], column = [0 : 3])
        translate([(column - 1.5) * 15.4, (1.5 - row) * 16.6 + 2, 0.9]) {
            key = ["123A", "456B", "789C", "*0#D"][row][column];
            color(column == 3 ? "#c0392b" : "#3b6ea5") rounded([12.5, 11.5, 0.4], 2);
            color("white") translate([0, 0, 0.45])
                linear_extrude(0.2) text(key, size = 6, halign = "center", valign = "center");
        }
    tail = most(keypad_tail)[0];
    color("#8a8f96") {
        translate([-tail / 2, -size[1] / 2 - 4.2, 0]) cube([tail, 4.4, 0.3]);
        translate([-tail / 2, -size[1] / 2 - 4.2, -down]) cube([tail, 0.3, down + 0.3]);
    }
}

// Its board under z = 0, the view upwards.
module oled_likeness() {
    board = nominal(oled_board);
    color("#20457c") translate([0, 0, -board[2]]) rounded(board, 1);
    color("#0b0d10") translate([0, nominal(oled_view_up), -0.4]) cube([26, 16, 0.79], center = true);
    color("#8fe3ff") translate([0, nominal(oled_view_up), -0.05]) for (line = [0, 1]) translate([0, 2.1 - 4.6 * line, 0])
        linear_extrude(0.1) text(["Your bid", "12"][line], size = 2.9, halign = "center", valign = "center");
    color("#222") translate([-5.5, board[1] / 2 - 3, -board[2] - nominal(oled_behind)]) cube([11, 3, nominal(oled_behind)]);
}

// Lies on z = 0, its middle at the origin, USB at the far y.
module pico_likeness() {
    board = nominal(pico_board);
    color("#2e7d4f") translate([0, 0, board[2] / 2]) cube(board, center = true);
    color("#c9ccd1") translate([0, board[1] / 2 - 2.8 + nominal(pico_usb_over), board[2] + 1.3]) cube([8, 5.6, 2.6], center = true);
    color("#111") translate([0, 0, board[2] + 0.4]) cube([7, 7, 0.9], center = true);
}

// A board with cut pins below, as perforated boards and ours are; the lower face of the board is z = 0.
module board_likeness(size, pitch) {
    color("#2f6f4f") difference() {
        rounded(nominal(size), 2);
        for (x = [-1, 1], y = [-1, 1]) translate([x * nominal(pitch)[0] / 2, y * nominal(pitch)[1] / 2, -1])
            cylinder(d = 2.4, h = 4, $fn = 24);
    }
    color("#b8bcc2") translate([0, 0, -most(board_pins) / 2])
        cube([nominal(size)[0] - 14, nominal(size)[1] - 14, most(board_pins)], center = true);
}

// What stands on the board of a base: the ribbon's socket and the chip; on that of a pod: the Pico on its strips.
module base_board_likeness() {
    board_likeness(base_board, base_board_pitch);
    top = nominal(base_board)[2];
    color("#222") translate([-29, 20, top]) cube([58, 9, most(idc_high)]);
    color("#30343a") translate([-14, 4, top]) cube([26, 8, 8]);
    color("#e9e4d4") for (seat = [0 : 4]) translate([-38 + seat * 16, -34, top]) cube([10, 6, 10]);
}

module pod_board_likeness() {
    board_likeness(pod_board, pod_board_pitch);
    size = nominal(pod_board);
    end = size[1] / 2 - nominal(pico_from_end) - nominal(pico_board)[1] / 2;
    color("#222") for (x = [-1, 1]) translate([x * 8.89 - 1.25, end - 25.4, size[2]]) cube([2.5, 50.8, most(pico_high)]);
    translate([0, end, size[2] + most(pico_high)]) pico_likeness();
    color("#222") translate([-10.2, -size[1] / 2 + 3, size[2]]) cube([20.4, 2.6, 14]);
}

module usb_plug_likeness() {
    plug = most(usb_plug);
    color("#30343a") translate([-plug[0] / 2, 0, -plug[1] / 2]) cube([plug[0], most(usb_plug_long), plug[1]]);
}

module jack_likeness() {
    body = most(jack_body);
    color("#8a8f96") rotate([-90, 0, 0]) {
        cylinder(d = body[0], h = body[1], $fn = 32);
        translate([0, 0, -6]) cylinder(d = nominal(jack_hole) - 0.4, h = 7, $fn = 32);
    }
}

module siren_likeness() {
    color("#1b1d20") translate([0, 0, -most(siren_body)[1]]) cylinder(d = most(siren_body)[0], h = most(siren_body)[1], $fn = 40);
}

module led_likeness(colour) {
    color(colour) { cylinder(d = 10, h = 5, $fn = 40); translate([0, 0, 5]) sphere(d = 10, $fn = 40); }
}
