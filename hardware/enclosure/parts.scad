// What is bought: dimensions in millimetres as its data sheet gives them, and a likeness for the pictures.
// Nothing here is printed. Measure what you have before you print; a shop's "60 mm button" may be 58.

// --- Raspberry Pi 4 and 5 ------------------------------------------------------------------------------

pi_board = [85, 56, 1.4];
pi_hole_first = [3.5, 3.5];          // from the corner beside the power socket
pi_hole_pitch = [58, 49];
pi_hole_d = 2.7;                     // for M2.5
pi_plugs_x = [11.2, 26.0, 39.5, 54]; // USB-C, two micro HDMI, audio, along the long side
pi_tall = 17;                        // the USB sockets above the board

// --- Displays of 7 inches ------------------------------------------------------------------------------
// [glass, active area, depth behind the glass, thickness of the rim]

touch_display = [[192.96, 110.76], [154.08, 85.92], 20, 2.0];
touch_display_2 = [[189.32, 120.24], [154.56, 86.94], 16, 2.0];
hdmi_display = [[164.9, 124.3], [154.08, 85.92], 16, 2.0];  // a common one of 1024 x 600

// --- For seats -----------------------------------------------------------------------------------------

pico_board = [51, 21, 1];
pico_hole_pitch = [47, 11.4];        // 2.1 mm, for M2
pico_usb = [8.2, 3.2];               // micro USB, over the end of the board

keypad_size = [69, 77, 0.9];         // membrane, self-adhesive, 4 x 4 keys
keypad_tail = [22, 3];               // eight ways of 2.54 mm leave at the lower edge

oled_board = [27.4, 27.8, 1.6];      // 0.96 inch, 128 x 64
oled_hole_pitch = [23.4, 23.8];      // M2
oled_view = [23, 12];                // what has to be seen, with its rim
oled_view_up = 3.2;                  // its middle is this far above the middle of the board

// [dome, hole, depth below the panel, height above it]
button_30 = [35, 30.2, 36, 12];      // snap-in arcade button with a lamp
button_60 = [60, 24.2, 48, 22];
button_100 = [100, 24.2, 55, 34];
button_16 = [18, 16.2, 24, 3];       // panel button of the house

led_10_hole = 10.2;
jack_hole = 6.2;                     // 3.5 mm stereo socket with a thread of M6
jack_panel = 2.0;                    // the thread reaches through this much

// --- Likenesses ----------------------------------------------------------------------------------------

module rounded(size, r) {
    linear_extrude(size[2]) offset(r) offset(-r) square([size[0], size[1]], center = true);
}

module pi_likeness() {
    color("#2e7d4f") difference() {
        translate([pi_board[0] / 2, pi_board[1] / 2, 0]) rounded(pi_board, 3);
        for (x = [0, 1], y = [0, 1])
            translate([pi_hole_first[0] + x * pi_hole_pitch[0], pi_hole_first[1] + y * pi_hole_pitch[1], -1])
                cylinder(d = pi_hole_d, h = 4, $fn = 24);
    }
    color("#c9ccd1") {
        for (y = [9, 27]) translate([69, y - 6.6, 1.4]) cube([18.5, 13.2, 16]);
        translate([66, 38, 1.4]) cube([21, 16, 13.5]);
        translate([pi_plugs_x[0] - 4.5, -1.2, 1.4]) cube([9, 7.4, 3.2]);
        for (x = [pi_plugs_x[1], pi_plugs_x[2]]) translate([x - 3.5, -1.2, 1.4]) cube([7, 7, 3]);
        translate([22, 25, 1.4]) cube([15, 15, 2.4]);
    }
    color("#222") translate([7.1, 50, 1.4]) cube([51, 5, 8.5]);
}

module display_likeness(display) {
    glass = display[0];
    color("#16181c") translate([0, 0, -1.6]) rounded([glass[0], glass[1], 1.6], 4);
    color("#2b4a6f") translate([0, 0, -0.1]) cube([display[1][0], display[1][1], 0.3], center = true);
    color("#9aa0a6") translate([0, 0, -7]) cube([glass[0] - 26, glass[1] - 10, 11], center = true);
}

module button_likeness(button, colour) {
    color(colour) translate([0, 0, 2]) scale([1, 1, 2 * (button[3] - 2) / button[0]]) difference() {
        sphere(d = button[0] - 4, $fn = 64);
        translate([0, 0, -100]) cube(200, center = true);
    }
    color("#23262b") {
        cylinder(d1 = button[0], d2 = button[0] - 2, h = 2, $fn = 64);
        translate([0, 0, -button[2]]) cylinder(d = button[1] - 4, h = button[2], $fn = 48);
    }
}

module keypad_likeness() {
    color("#1d2126") rounded(keypad_size, 2);
    for (row = [0 : 3], column = [0 : 3])
        translate([(column - 1.5) * 15.4, (1.5 - row) * 16.6 + 2, 0.9]) {
            key = ["123A", "456B", "789C", "*0#D"][row][column];
            color(column == 3 ? "#c0392b" : "#3b6ea5") rounded([12.5, 11.5, 0.4], 2);
            color("white") translate([0, 0, 0.45])
                linear_extrude(0.2) text(key, size = 6, halign = "center", valign = "center");
        }
}

module oled_likeness() {
    color("#20457c") translate([0, 0, -1.6]) cube([oled_board[0], oled_board[1], 1.6], center = true);
    color("#0b0d10") translate([0, oled_view_up, -0.4]) cube([26, 16, 0.8], center = true);
    color("#8fe3ff") translate([0, oled_view_up, 0.05]) for (line = [0, 1]) translate([0, 2.1 - 4.6 * line, 0])
        linear_extrude(0.1) text(["Your bid", "12"][line], size = 2.9, halign = "center", valign = "center");
}

module pico_likeness() {
    color("#2e7d4f") translate([0, 0, 0.5]) cube(pico_board, center = true);
    color("#c9ccd1") translate([pico_board[0] / 2 - 2.2, 0, 2.2]) cube([6, 8, 2.6], center = true);
    color("#111") translate([0, 0, 1.4]) cube([7, 7, 0.9], center = true);
}

module led_likeness(colour) {
    color(colour) { cylinder(d = 10, h = 5, $fn = 40); translate([0, 0, 5]) sphere(d = 10, $fn = 40); }
}
