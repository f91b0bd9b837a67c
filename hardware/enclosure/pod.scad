// The pod of a seat: screen, keypad, lit button, and a Raspberry Pi Pico under them. hardware/pod is its firmware.
// Picture: view="closed" or "open"; print: "tray", "lid" (face down) or "plate".

include <box.scad>
include <parts.scad>

view = "closed";
lit = "#e74c3c";

r = 8;
lid = 3;
size = [92, 168];
front_z = 40;                 // under the button there must be room for its switch and lamp
slope = 6;                    // degrees, so that the screen looks at its player
back_z = front_z + size[1] * tan(slope);
top = [size[0], size[1] / cos(slope)];

// On the lid, from its middle, along its slope; from the front: button, keypad, screen.
button_at = [0, -57];
keypad_at = [0, 9];
oled_at = [0, 65];

screw_pitch = [size[0] - 14, size[1] - 14];
lid_pitch = [screw_pitch[0], screw_pitch[1] / cos(slope)];
pico_at = [0, size[1] / 2 - wall - pico_board[0] / 2 - 1, wall + 6];

module on_top() { translate([0, 0, (front_z + back_z) / 2]) rotate([slope, 0, 0]) children(); }

// The body is cut along the slope; the lid lies on the cut.
module wedge(inset = 0) {
    intersection() {
        soft_slab([size[0] - 2 * inset, size[1] - 2 * inset, back_z + 20], r - inset);
        on_top() translate([0, 0, -100]) cube([300, 300, 200], center = true);
    }
}

module tray_part() {
    difference() {
        union() {
            difference() {
                wedge();
                translate([0, 0, wall]) linear_extrude(100)
                    offset(r - wall) square([size[0] - 2 * r, size[1] - 2 * r], center = true);
            }
            intersection() {
                wedge(0.2);
                at_corners(screw_pitch) translate([0, 0, 1]) cylinder(d = 9, h = 100);
            }
            for (x = [-1, 1], y = [-1, 1]) translate([
                x * pico_hole_pitch[1] / 2, pico_at[1] + y * pico_hole_pitch[0] / 2, 1])
                post(5, pico_at[2] - 1, pilot_m2);
            tie_bar();
        }
        on_top() at_corners(lid_pitch) translate([0, 0, -12]) cylinder(d = pilot_m3, h = 40);
        // the plug of the USB cable, over the end of the Pico
        translate([0, size[1] / 2, pico_at[2] + pico_board[2] + 1.5]) cube([13, 12, 9], center = true);
        at_corners([size[0] - 26, size[1] - 26]) translate([0, 0, -0.01]) cylinder(d = 10.5, h = 1.2);
        translate([0, -40, 0]) slots(6, 30, 7);
    }
}

module tie_bar() {
    translate([24, size[1] / 2 - 22, wall - 0.5]) difference() {
        translate([-4, -7, 0]) cube([8, 14, 8]);
        translate([-5, -3.5, 0.5]) cube([10, 7, 4]);
    }
}

module lid_part() {
    difference() {
        union() {
            translate([0, 0, lid]) mirror([0, 0, 1]) soft_slab([top[0], top[1], lid], r);
            translate([oled_at[0], oled_at[1] - oled_view_up, -3]) at_corners(oled_hole_pitch) post(4.6, 3.01, 0.1);
        }
        translate([button_at[0], button_at[1], -5]) cylinder(d = button_30[1], h = 20);
        // The keypad is glued into a shallow bed; its tail goes through a slot at its lower edge.
        translate([keypad_at[0], keypad_at[1], lid - 0.8]) rounded([keypad_size[0] + 0.8, keypad_size[1] + 0.8, 5], 2.4);
        translate([keypad_at[0], keypad_at[1] - keypad_size[1] / 2 + 1.5, 0]) cube([keypad_tail[0], keypad_tail[1], 20], center = true);
        translate([oled_at[0], oled_at[1], -1]) hull() {
            slab([oled_view[0], oled_view[1], 1.01], 1.2);
            translate([0, 0, lid + 1]) slab([oled_view[0] + 5, oled_view[1] + 5, 0.1], 2);
        }
        translate([oled_at[0], oled_at[1] - oled_view_up, -4]) at_corners(oled_hole_pitch) cylinder(d = pilot_m2, h = 4 + lid - 1);
        at_corners(lid_pitch) countersunk(lid);
    }
}

module inside() {
    translate([0, pico_at[1], pico_at[2]]) rotate(90) pico_likeness();
}

module on_lid() {
    translate([button_at[0], button_at[1], lid]) button_likeness(button_30, lit);
    translate([keypad_at[0], keypad_at[1], lid - 0.8]) keypad_likeness();
    translate([oled_at[0], oled_at[1] - oled_view_up, -0.2]) oled_likeness();
}

if (view == "tray") tray_part();
if (view == "lid") translate([0, 0, lid]) rotate([180, 0, 0]) lid_part();
if (view == "plate") {
    tray_part();
    translate([size[0] + 10, 0, lid]) rotate([180, 0, 0]) lid_part();
}
if (view == "closed" || view == "open") {
    color("#7d8794") tray_part();
    inside();
    translate(view == "open" ? [size[0] + 14, 0, -front_z / 2] : [0, 0, 0])
        on_top() { color("#efe9dc") lid_part(); on_lid(); }
}
