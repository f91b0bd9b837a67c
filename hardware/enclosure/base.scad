// The base unit: a Raspberry Pi on the floor, a display of 7 inches lying flat in the lid.
// One file for the three builds: -D 'build="classic"'. Picture: view="closed" or "open"; print: "plate", "lid", "tray".

include <box.scad>
include <parts.scad>

build = "classic";   // "no-solder", "classic" or "full"
view = "closed";
display = build == "no-solder" ? hdmi_display : touch_display;  // or touch_display_2
active_shift = [0, 0];  // how far the active area lies from the middle of the glass; measure yours

lid = 3;
r = 9;
wired = build == "classic";

front = wired ? 34 : 10;                    // the strip of the lid before the display, for the house's buttons
rim = 11;                                   // of the lid round the glass
size = [display[0][0] + 2 * rim + 2, display[0][1] + 2 * rim + 2 + front, 56];
display_at = [0, front / 2, 0];
view_margin = 1;                            // the window is larger than the active area by this, each side

post_d = 8;

pi_feet = 5;
// The long side with the power socket lies along the back wall, the USB sockets reach out of the left wall.
pi_at = [-size[0] / 2 + wall + pi_board[0] + 1.5, size[1] / 2 - wall - 1.5, wall + pi_feet];

jack_pitch = 22;
jack_z = 30;
button_pitch = 30;
siren_d = 30;

// Three corners, and for the fourth, where the Pi lies, a place along the back wall.
module screw_places() {
    for (place = [[-1, -1], [1, -1], [1, 1]])
        translate([place[0] * (size[0] / 2 - 7.5), place[1] * (size[1] / 2 - 7.5), 0]) children();
    translate([pi_at[0] + 9, size[1] / 2 - 7.5, 0]) children();
}

module pi_frame() { translate(pi_at) rotate(180) children(); }

module pi_holes() {
    for (x = [0, 1], y = [0, 1])
        translate([pi_hole_first[0] + x * pi_hole_pitch[0], pi_hole_first[1] + y * pi_hole_pitch[1], 0]) children();
}

module tray_part() {
    difference() {
        union() {
            tray(size, r);
            screw_places() translate([0, 0, 1]) post(post_d, size[2] - 1, pilot_m3);
            pi_frame() pi_holes() translate([0, 0, -pi_feet - 1]) post(6, pi_feet + 1, pilot_m25);
            if (wired) board_posts();
            tie_bars();
        }
        pi_frame() {
            // USB and Ethernet, for a Pi 4 as for a Pi 5
            usb_windows();
            // power, two HDMI, audio
            plug_windows();
            translate([pi_plugs_x[3], 0, 4.4]) rotate([90, 0, 0]) translate([0, 0, -2]) cylinder(d = 9, h = 14);
            // a draught from below, beside the feet
            translate([32, 28, -5]) slots(6, 34, 6);
        }
        translate([38, 20, 0]) slots(8, 50, 7);
        side_vents();
        if (wired) jacks();
        feet();
    }
}

// Three windows, with pillars where neither a Pi 4 nor a Pi 5 has a socket: a printer cannot bridge all of it.
module usb_windows() {
    edges = [1, 18.5, 20.1, 36.0, 37.5, 55];
    for (n = [0, 2, 4]) translate([pi_board[0] - 3, edges[n], 0]) cube([20, edges[n + 1] - edges[n], pi_tall + 2]);
}

module plug_windows() {
    edges = [pi_plugs_x[0] - 7, pi_plugs_x[0] + 6.8, pi_plugs_x[1] - 6.2, pi_plugs_x[2] + 6.5];
    for (n = [0, 2]) translate([edges[n], -12, -1.6]) cube([edges[n + 1] - edges[n], 13, 10]);
}

module side_vents() {
    for (side = [-1, 1]) translate([pi_at[0] + 55, side * size[1] / 2, 40]) if (side == 1 || !wired)
        rotate([90, 0, 0]) slots(12, 12, 6);
    translate([size[0] / 2, display_at[1] + 10, 40]) rotate([90, 0, 90]) slots(8, 12, 6);
}

module jacks() {
    for (seat = [1 : 5]) translate([(seat - 3) * jack_pitch, -size[1] / 2, jack_z]) {
        rotate([90, 0, 0]) translate([0, 0, -10]) cylinder(d = jack_hole, h = 20);
        // thinner within, for the thread
        translate([0, wall + 0.01, 0]) rotate([90, 0, 0]) cylinder(d = 13, h = wall - jack_panel + 0.01);
    }
    jack_names();
}

module jack_names() {
    for (seat = [1 : 5]) translate([(seat - 3) * jack_pitch, -size[1] / 2, jack_z]) {
        translate([0, 0.6, -11]) rotate([90, 0, 0])
            linear_extrude(2) text(str(seat), size = 8, halign = "center", valign = "center", font = "DejaVu Sans:bold");
    }
}

// For a perforated board of 70 x 30 mm, which carries resistors and the siren's transistor.
module board_posts() {
    for (x = [0, 66], y = [0, 26]) translate([8 + x, -size[1] / 2 + 24 + y, 1]) post(6, 6, pilot_m25);
}

// Bars to tie cables to, so that a tug never reaches a contact.
module tie_bars() {
    for (y = [-30, 0]) translate([size[0] / 2 - 16, y + 20, wall - 0.5]) difference() {
        translate([-4, -9, 0]) cube([8, 18, 8]);
        translate([-5, -5, 0.5]) cube([10, 10, 4]);
    }
}

module feet() {
    at_corners([size[0] - 40, size[1] - 40]) translate([0, 0, -0.01]) cylinder(d = 10.5, h = 1.2);
}

module lid_part() {
    glass = display[0];
    window = [display[1][0] + 2 * view_margin, display[1][1] + 2 * view_margin];
    difference() {
        union() {
            translate([0, 0, lid]) mirror([0, 0, 1]) soft_slab([size[0], size[1], lid], r);
            // the lip that finds the tray
            translate([0, 0, -3]) difference() {
                slab([size[0] - 2 * wall - 0.6, size[1] - 2 * wall - 0.6, 3.01], r - wall);
                translate([0, 0, -1]) slab([size[0] - 4 * wall - 0.6, size[1] - 4 * wall - 0.6, 6], r - 2 * wall);
                screw_places() translate([0, 0, -1]) cylinder(d = post_d + 1, h = 6);
            }
            // the frame that finds the glass, and bosses for the four clips
            translate([display_at[0], display_at[1], -display[3]]) difference() {
                slab([glass[0] + 3.6, glass[1] + 3.6, display[3] + 0.01], 6);
                translate([0, 0, -1]) slab([glass[0] + 0.6, glass[1] + 0.6, display[3] + 2], 5);
            }
            clip_places() translate([0, 0, -clip_boss]) post(7, clip_boss + 0.01, 0.1);
        }
        translate([display_at[0] + active_shift[0], display_at[1] + active_shift[1], -1]) hull() {
            slab([window[0], window[1], 1.01], 2);
            translate([0, 0, lid + 1]) slab([window[0] + 5, window[1] + 5, 0.1], 4);
        }
        clip_places() translate([0, 0, -clip_boss - 1]) cylinder(d = pilot_m3, h = clip_boss + lid - 0.2);
        screw_places() countersunk(lid);
        if (wired) {
            house_places() translate([0, 0, -5]) cylinder(d = button_16[1], h = 20);
            house_names();
            siren_place() for (ring = [0 : 2], n = [0 : max(0, ring * 6 - 1)])
                rotate(n * 360 / max(1, ring * 6)) translate([ring * 4, 0, -5]) cylinder(d = 2, h = 20, $fn = 16);
        }
    }
}

clip_boss = 5;
module clip_places() {
    // before and behind the glass, where the lid has room for a boss
    for (x = [-1, 1], y = [-1, 1])
        translate([x * 62, display_at[1] + y * (display[0][1] / 2 + 5.2), 0]) rotate(y > 0 ? 180 : 0) children();
}

// Holds the rim of the glass against the lid, with a millimetre of foam between. Print four.
module clip_part() {
    difference() {
        hull() { cylinder(d = 8.4, h = 2.4); translate([-6, 8, 0]) cube([12, 2, 2.4]); }
        translate([0, 0, -1]) cylinder(d = screw_m3, h = 5);
    }
    translate([-6, 6, 0]) cube([12, 4, 2.4 + clip_boss - display[3] - 1]);
}

module house_places() {
    for (n = [0 : 3]) translate([-62 + n * button_pitch, -size[1] / 2 + 22, 0]) children();
}

module house_names() {
    names = ["ok", "undo", "pause", "skip"];
    for (n = [0 : 3]) translate([-62 + n * button_pitch, -size[1] / 2 + 8.2, lid - 0.6])
        linear_extrude(1) text(names[n], size = 5.4, halign = "center", valign = "center", font = "DejaVu Sans:bold");
}

module siren_place() { translate([70, -size[1] / 2 + 21, 0]) children(); }

module inside() {
    pi_frame() pi_likeness();
    if (wired) {
        color("#c8a060") translate([5, -size[1] / 2 + 21, 7]) cube([72, 32, 1.6]);
        for (seat = [1 : 5]) color("#8a8f96") translate([(seat - 3) * jack_pitch, -size[1] / 2 + 3, jack_z])
            rotate([-90, 0, 0]) cylinder(d = 11, h = 12);
    }
}

module on_lid() {
    translate([display_at[0], display_at[1], 0]) display_likeness(display);
    if (wired) {
        colours = ["#2e9e5b", "#e0a526", "#3b6ea5", "#8a8f96"];
        for (n = [0 : 3]) translate([-62 + n * button_pitch, -size[1] / 2 + 22, lid])
            button_likeness(button_16, colours[n]);
    }
}

if (view == "tray") on_bed(size) tray_part();
if (view == "lid") on_bed(size) translate([0, 0, lid]) rotate([180, 0, 0]) lid_part();
if (view == "clips") for (n = [0 : 3]) translate([n * 18, 0, 0]) clip_part();
if (view == "plate") {
    tray_part();
    translate([0, size[1] + 10, lid]) rotate([180, 0, 0]) lid_part();
    for (n = [0 : 3]) translate([(n - 1.5) * 18, -size[1] / 2 - 22, 0]) clip_part();
}
if (view == "closed" || view == "open") {
    up = view == "open" ? 75 : 0;
    color("#7d8794") tray_part();
    if (wired) color("#20242a") intersection() { jack_names(); translate([0, 0, 50]) cube([size[0] - 40, size[1] + 0.1, 100], center = true); }
    inside();
    translate([0, 0, size[2] + up]) { color("#efe9dc") lid_part(); on_lid(); if (wired) color("#20242a") translate([0, 0, -0.35]) house_names(); }
    if (view == "open") translate([0, 0, size[2] + up - 14]) color("#d9822b") clip_places() clip_part();
}
