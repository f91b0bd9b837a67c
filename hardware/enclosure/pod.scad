// The pod of a seat: screen, keypad, lit button, and its board with a Raspberry Pi Pico. hardware/pod is its firmware.
// Picture: view="closed", "open" or a step; print: "tray", "lid" (face down). Tests ask for what is placed and bought.

include <box.scad>
include <parts.scad>
include <cables.scad>

view = "closed";
lit = "#e74c3c";

r = 8;
lid = 3;
size = [92, 168];
front_z = 46;                 // under the button there must be room for its switch and lamp
slope = 6;                    // degrees, so that the screen looks at its player
back_z = front_z + size[1] * tan(slope);
top = [size[0], size[1] / cos(slope)];

// On the lid, from its middle, along its slope; from the front: button, keypad, screen.
button_at = [0, -57];
keypad_at = [0, 10];
oled_at = [0, 66];
oled_post = 2;                // the glass is thinner than that
outline = 0.6;                // a groove on the face shows where the keypad goes: it lies on the face, not in a bed

tail_gap = 2.5;               // from the keypad to the slot: room for the tail to bend without a crease
tail_down = 8;                // from the face, through the slot; the rest is drawn by placed_tail
tail_slot = [max(most(keypad_tail)[0], most(keypad_plug)[0]) + 1.2, most(keypad_plug)[1] + 1];
tail_at = [keypad_at[0], keypad_at[1] - most(keypad_size)[1] / 2 - tail_gap - tail_slot[1] / 2];

screw_pitch = [size[0] - 14, size[1] - 14];
lid_pitch = [screw_pitch[0], screw_pitch[1] / cos(slope)];

// The board: its far end leaves room for the plug and for the bar that its cable is tied to.
board_feet = 6;               // more than the pins below a board
tie_y = size[1] / 2 - wall - 10;
board_at = [0, tie_y - 6 - most(usb_plug_long) - nominal(pod_board)[1] / 2, wall + board_feet];
plug_at = [0, board_at[1] + nominal(pod_board)[1] / 2 - nominal(pico_from_end) + nominal(pico_usb_over),
           board_at[2] + nominal(pod_board)[2] + nominal(pico_high) + nominal(pico_board)[2] + 1.3];
// The cable runs straight from its plug over the bar and out: above the bar the mouth lets the plug pass.
tie_high = plug_at[2] - most(usb_cable)[0] / 2;
mouth = [most(usb_plug)[0] + 2, most(usb_plug)[1] + 1.5];

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
            translate([board_at[0], board_at[1], 1]) at_corners(nominal(pod_board_pitch)) post(5, board_at[2] - 1, pilot_m2);
            tie_bar();
        }
        on_top() at_corners(lid_pitch) translate([0, 0, -12]) cylinder(d = pilot_m3, h = 40);
        translate([-mouth[0] / 2, size[1] / 2 - 6, tie_high - 0.5]) cube([mouth[0], 12, mouth[1]]);
        at_corners([size[0] - 26, size[1] - 26]) translate([0, 0, -0.01]) cylinder(d = 10.5, h = 1.2);
        translate([0, -54, 0]) slots(6, 30, 7);
    }
}

// Behind the mouth, as high as the plug: cable ties through its eyes and round the cable take the tug.
module tie_bar() {
    translate([-6, tie_y - 4, 1]) difference() {
        cube([12, size[1] / 2 - wall - tie_y + 4.5, tie_high - 1]);
        for (y = [2, 8]) translate([-1, y, tie_high - 7]) cube([14, 4, 3]);
    }
}

module lid_part() {
    difference() {
        union() {
            translate([0, 0, lid]) mirror([0, 0, 1]) soft_slab([top[0], top[1], lid], r);
            translate([oled_at[0], oled_at[1] - nominal(oled_view_up), -oled_post]) at_corners(nominal(oled_hole_pitch)) post(4.6, oled_post + 0.01, 0.1);
        }
        translate([button_at[0], button_at[1], -5]) cylinder(d = nominal(button_30)[1], h = 20);
        keypad_outline();
        translate([tail_at[0], tail_at[1], 0]) {
            cube([tail_slot[0], tail_slot[1], 20], center = true);
            // a rounded lip: the tail goes over it
            translate([0, 0, lid - 1]) hull() {
                translate([0, 0, 1.01]) cube([tail_slot[0], tail_slot[1] + 2, 0.02], center = true);
                cube([tail_slot[0], tail_slot[1], 0.02], center = true);
            }
        }
        translate([oled_at[0], oled_at[1], -1]) hull() {
            slab([most(oled_view)[0], most(oled_view)[1], 1.01], 1.2);
            translate([0, 0, lid + 1]) slab([most(oled_view)[0] + 5, most(oled_view)[1] + 5, 0.1], 2);
        }
        translate([oled_at[0], oled_at[1] - nominal(oled_view_up), -oled_post - 1]) at_corners(nominal(oled_hole_pitch)) cylinder(d = pilot_m2, h = oled_post + lid);
        at_corners(lid_pitch) countersunk(lid);
    }
}

module keypad_outline() {
    pad = most(keypad_size);
    translate([keypad_at[0], keypad_at[1], lid - 0.4]) difference() {
        rounded([pad[0] + 2 * outline, pad[1] + 2 * outline, 1], 2.4);
        translate([0, 0, -1]) rounded([pad[0], pad[1], 3], 2);
    }
}

module placed_board() { translate(board_at) pod_board_likeness(); }
module placed_plug() { translate(plug_at) usb_plug_likeness(); }
module placed_button() { translate([button_at[0], button_at[1], lid]) button_likeness(button_30, lit, lid); }
module placed_keypad() { translate([keypad_at[0], keypad_at[1], lid]) keypad_likeness(tail_down); }
module placed_oled() { translate([oled_at[0], oled_at[1] - nominal(oled_view_up), -oled_post]) oled_likeness(); }
function on_top_at(p) = [p[0], p[1] * cos(slope) - p[2] * sin(slope), p[1] * sin(slope) + p[2] * cos(slope) + (front_z + back_z) / 2];

// From the slot down, back over the Pico, and forwards into the header: so its length has room.
module placed_tail() {
    wide = nominal(keypad_ribbon)[0];
    forward = [0, -1, 0];
    down = [0, -sin(-slope), -cos(slope)];
    from = on_top_at([0, keypad_at[1] - nominal(keypad_size)[1] / 2 - 4.05, lid - tail_down - 0.3]);
    into = [0, board_at[1] - nominal(pod_board)[1] / 2 + 4.3, board_at[2] + nominal(pod_board)[2] + 14.5];
    end = 3;
    turn = 4.5;
    low = into[2] + end;
    high = low + 2 * turn;
    first = from[2] - high;
    behind = -10;
    color("#8a8f96") ribbon("tail", keypad_ribbon, strip(concat(
        spline([from, [0, from[1] + first, high]], [down, -forward]),
        spline([[0, behind, high], [0, behind + turn, low + turn], [0, behind, low]], [-forward, [0, 0, -1], forward]),
        spline([[0, into[1] + end, low], into], [forward, [0, 0, -1]])), [1, 0, 0], wide));
}

module placed_cable() {
    from = [0, plug_at[1] + most(usb_plug_long) + 0.1, plug_at[2]];
    out = [0, size[1] / 2 + 4, plug_at[2]];
    lying = [0, size[1] / 2 + 70, most(usb_cable)[0] / 2];
    color("#30343a") cable("usb", usb_cable, spline([from, out, lying], [for (n = [0 : 2]) [0, 1, 0]]));
}

if (view == "tray") on_bed(size) tray_part();
if (view == "lid") on_bed(size) translate([0, 0, lid]) rotate([180, 0, 0]) lid_part();
if (view == "closed" || view == "open") {
    color("#7d8794") tray_part();
    placed_board(); placed_plug(); placed_cable();
    if (view == "closed") placed_tail();
    translate(view == "open" ? [size[0] + 14, 0, -front_z / 2] : [0, 0, 0])
        on_top() { color("#efe9dc") lid_part(); placed_button(); placed_keypad(); placed_oled(); }
}
// For the tests: each part where it is when all is screwed together, and what is bought, one by one.
if (view == "lid-placed") on_top() lid_part();
if (view == "board") placed_board();
if (view == "plug") placed_plug();
if (view == "cable") placed_cable();
if (view == "tail") placed_tail();
if (view == "button") on_top() placed_button();
if (view == "keypad") on_top() placed_keypad();
if (view == "oled") on_top() placed_oled();
// Steps of the guide.
if (view == "step-board") {
    color("#7d8794") tray_part();
    translate([0, 0, 45]) { placed_board(); placed_plug(); }
    translate([board_at[0], board_at[1], 95]) at_corners(nominal(pod_board_pitch)) screw_likeness(2, 5);
}
// From the side, the tray cut open.
if (view == "step-cable") {
    color("#7d8794") difference() { tray_part(); translate([0, -150, -1]) cube([100, 300, 200]); }
    placed_board(); placed_plug(); placed_cable();
    for (y = [0, 6]) color("#efe9dc") translate([0, tie_y + y, tie_high - 1]) rotate([90, 0, 0])
        difference() { cylinder(d = 15, h = 3, center = true); cylinder(d = 12.4, h = 4, center = true); }
}
if (view == "step-tail") { placed_board(); placed_plug(); placed_tail(); on_top() { placed_keypad(); placed_button(); } }
if (view == "step-lid") {
    color("#efe9dc") lid_part();
    translate([0, 0, 50]) { placed_button(); placed_keypad(); }
    translate([0, 0, -40]) placed_oled();
}
// What is worth trying before hours of printing: the screen's window and holes, the button's hole, the tail's slot, an M3 pilot.
if (view == "coupon") {
    translate([0, oled_at[1], lid]) rotate([180, 0, 0]) intersection() {
        lid_part();
        translate([-22, oled_at[1] - 22, -50]) cube([44, 44, 100]);
    }
    translate([50, button_at[1], lid]) rotate([180, 0, 0]) intersection() {
        lid_part();
        translate([-21, button_at[1] - 21, -50]) cube([42, tail_at[1] + 7 - button_at[1] + 21, 100]);
    }
}
