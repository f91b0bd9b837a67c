// The box of one buzzer: a big arcade button, a lamp that the whole table sees, a socket for the cable.
// Picture: view="closed", "open" or "step"; print: "shell" (upside down), "bottom". Tests ask for what is placed and bought.

include <box.scad>
include <parts.scad>
include <cables.scad>

view = "closed";
button = button_60;           // or button_100
colour = "#e0a526";
seat = 1;

r = 16;
roof = 3;
draft = 4;                    // the sides lean in by this, to sit firmly under a hand
bottom = 2.4;
under = 4;                    // air under the terminals of the switch, for their wires
dome = most(button)[0];
size = [dome + 28, dome + 46, most(button)[2] + under + bottom];
button_at = [0, -9];
lamp_at = [0, button_at[1] + dome / 2 + 16];
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
        translate([button_at[0], button_at[1], 0]) cylinder(d = most(button)[1], h = 200);
        translate([lamp_at[0], lamp_at[1], 0]) cylinder(d = nominal(led_10_hole), h = 200);
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

module socket() {
    translate([0, size[1] / 2, socket_z]) rotate([90, 0, 0]) {
        translate([0, 0, -10]) cylinder(d = nominal(jack_hole), h = 30);
        // the wall is too thick for the thread: a flat for its nut, outside
        translate([0, 0, -10]) cylinder(d = 12, h = 10 + wall - nominal(jack_panel) + 1);
    }
}

module bottom_part() {
    difference() {
        slab([size[0] - 2 * wall - fit, size[1] - 2 * wall - fit, bottom], r - wall);
        at_corners(screw_pitch) translate([0, 0, bottom]) mirror([0, 0, 1]) countersunk(bottom);
        at_corners([size[0] - 50, size[1] - 34]) translate([0, 0, -0.01]) cylinder(d = 10.5, h = 1);
    }
}

module placed_button() { translate([button_at[0], button_at[1], size[2]]) button_likeness(button, colour, roof); }
module placed_jack() { translate([0, size[1] / 2 - wall - draft * (socket_z + 8) / size[2] - 0.1, socket_z]) rotate(180) jack_likeness(); }
module placed_lamp() { translate([lamp_at[0], lamp_at[1], size[2] - 1]) led_likeness(colour); }
module placed_plug() {
    color("#30343a") translate([0, size[1] / 2 + 5, socket_z]) rotate([-90, 0, 0]) cylinder(d = most(seat_plug)[0], h = most(seat_plug)[1]);
}
module placed_cable() {
    from = [0, size[1] / 2 + 5 + most(seat_plug)[1] + 0.7, socket_z];
    color("#30343a") cable("cable", seat_cable,
        spline([from, [0, from[1] + 50, most(seat_cable)[0] / 2]], [[0, 1, 0], [0, 1, 0]]));
}
module shell_looks() { color("#efe9dc") shell_part(); color("#20242a") number(0.1); }

if (view == "shell") on_bed(size) translate([0, 0, size[2]]) rotate([180, 0, 0]) shell_part();
if (view == "bottom") on_bed(size) mirror([0, 0, 1]) translate([0, 0, -bottom]) bottom_part();
if (view == "closed" || view == "open") {
    color("#7d8794") bottom_part();
    translate([0, 0, view == "open" ? 50 : 0]) { shell_looks(); placed_button(); placed_lamp(); }
}
// For the tests: each part where it is when all is screwed together, and what is bought.
if (view == "shell-placed") shell_part();
if (view == "bottom-placed") bottom_part();
if (view == "button") placed_button();
if (view == "jack") placed_jack();
if (view == "plug") placed_plug();
if (view == "cable") placed_cable();
if (view == "step") {
    color("#7d8794") bottom_part();
    at_corners(screw_pitch) translate([0, 0, -30]) rotate([180, 0, 0]) screw_likeness(3, 10);
    translate([0, 0, 60]) { shell_looks(); placed_jack(); }
    translate([0, 0, 130]) { placed_button(); placed_lamp(); }
}
