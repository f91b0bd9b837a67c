// The box of one buzzer: a big arcade button, a lamp that the whole table sees, a socket for the cable.
// Picture: view="closed" or "open"; print: "shell" (upside down), "bottom" or "plate".

include <box.scad>
include <parts.scad>

view = "closed";
button = button_60;           // or button_100
colour = "#e0a526";
seat = 1;

r = 16;
roof = 3;
draft = 4;                    // the sides lean in by this, to sit firmly under a hand
size = [button[0] + 28, button[0] + 46, button[2] + 10];
button_at = [0, -9];
lamp_at = [0, button_at[1] + button[0] / 2 + 16];
screw_pitch = [size[0] - 22, size[1] - 22];
socket_z = 16;
number_z = 28;

module solid(inset = 0, high = size[2]) {
    soft = 2;
    hull() {
        slab([size[0] - 2 * inset, size[1] - 2 * inset, 0.01], r - inset);
        translate([0, 0, high - soft])
            slab([size[0] - 2 * inset - 2 * draft, size[1] - 2 * inset - 2 * draft, 0.01], r - inset);
        translate([0, 0, high - 0.01])
            slab([size[0] - 2 * inset - 2 * draft - 2 * soft, size[1] - 2 * inset - 2 * draft - 2 * soft, 0.01], r - inset - soft);
    }
}

module shell_part() {
    difference() {
        union() {
            difference() {
                solid();
                translate([0, 0, -0.01]) solid(wall, size[2] - roof);
            }
            intersection() {
                solid(0.5, size[2] - 1);
                at_corners(screw_pitch) translate([0, 0, bottom]) cylinder(d = 9, h = size[2]);
            }
        }
        translate([0, 0, -0.01]) slab([size[0] - 2 * wall + fit, size[1] - 2 * wall + fit, bottom], r - wall);
        at_corners(screw_pitch) translate([0, 0, -1]) cylinder(d = pilot_m3, h = 18);
        translate([button_at[0], button_at[1], 0]) cylinder(d = button[1], h = 200);
        translate([lamp_at[0], lamp_at[1], 0]) cylinder(d = led_10_hole, h = 200);
        socket();
        number(1);
    }
}

// The seat's number on the front, so deep, which leans as the side does.
module number(depth) {
    lean = atan(draft / size[2]);
    translate([0, -size[1] / 2 + draft * number_z / size[2], number_z]) rotate([90 - lean, 0, 0])
        translate([0, 0, -depth]) linear_extrude(depth + 0.05)
            text(str(seat), size = 22, halign = "center", valign = "center", font = "DejaVu Sans:bold");
}

bottom = 2.4;

module socket() {
    translate([0, size[1] / 2, socket_z]) rotate([90, 0, 0]) {
        translate([0, 0, -10]) cylinder(d = jack_hole, h = 30);
        // the wall is too thick for the thread: a flat for its nut, outside
        translate([0, 0, -10]) cylinder(d = 12, h = 10 + wall - jack_panel + 1);
    }
}

module bottom_part() {
    difference() {
        slab([size[0] - 2 * wall - fit, size[1] - 2 * wall - fit, bottom], r - wall);
        at_corners(screw_pitch) translate([0, 0, bottom]) mirror([0, 0, 1]) countersunk(bottom);
        at_corners([size[0] - 50, size[1] - 34]) translate([0, 0, -0.01]) cylinder(d = 10.5, h = 1);
    }
}

if (view == "shell") translate([0, 0, size[2]]) rotate([180, 0, 0]) shell_part();
if (view == "bottom") bottom_part();
if (view == "plate") {
    translate([0, 0, size[2]]) rotate([180, 0, 0]) shell_part();
    translate([size[0] + 10, 0, 0]) bottom_part();
}
if (view == "closed" || view == "open") {
    up = view == "open" ? 50 : 0;
    color("#7d8794") bottom_part();
    translate([0, 0, up]) {
        color("#efe9dc") shell_part();
        color("#20242a") number(0.1);
        translate([button_at[0], button_at[1], size[2]]) button_likeness(button, colour);
        translate([lamp_at[0], lamp_at[1], size[2] - 1]) led_likeness(colour);
    }
}
