// The base unit: a Raspberry Pi on the floor, a display of 7 inches lying flat in the lid.
// One file for two boxes: "classic" has sockets, buttons and a board in it, "plain" has none of these.
// Picture: view="closed", "open" or a step; print: "tray", "lid", "clips". Tests ask for what is placed and bought.

include <box.scad>
include <parts.scad>
include <cables.scad>

build = "classic";            // or "plain"
view = "closed";
model = 4;                    // the Pi: 4 or 5
display = touch_display;      // or touch_display_2
active_shift = [0, 0];        // how far the active area lies from the middle of the glass; measure yours

lid = 3;
r = 9;
wired = build == "classic";

glass = most(display[0]);
active = nominal(display[1]);
rim = display[3][0];          // of the glass: its thickness, and what is free behind it
frame_wall = 1.5;
frame_play = 0.3;
post_d = 8;
post_in = wall + post_d / 2 - 0.5;          // middle of a screw's post, from outside
aside = 9;                                  // of the glass, at left and right
along = post_in + post_d / 2 + frame_play + frame_wall + 0.3;  // before and behind it: the frame clears the posts
front = wired ? 34 : 10;                    // the strip of the lid before the display, for the house's buttons
size = [glass[0] + 2 * aside, glass[1] + 2 * along + front, wired ? 62 : 58];
display_at = [0, front / 2, 0];
view_margin = 1;                            // the window is larger than the active area by this, each side

pi_feet = 5;
// The long side with the power socket lies along the back wall, the USB sockets reach out of the left wall.
pi_at = [-size[0] / 2 + wall + most(pi_board)[0] + 0.5, size[1] / 2 - wall - 1.5, wall + pi_feet];
hole_first = nominal(pi_hole_first);
hole_pitch = nominal(pi_hole_pitch);
plugs_x = nominal(pi_plugs_x);

board_feet = 6;                             // more than the pins below a board
board_at = [14, -size[1] / 2 + 66, wall + board_feet];
jack_pitch = 22;
jack_z = 20;                                // under the buttons of the house
seat_plug_from = 5;                         // outside the wall, beyond nut and thread
button_pitch = 30;
button_at = [-62, -size[1] / 2 + 22];
siren_at = [72, -size[1] / 2 + 21];
tie_at = [size[0] / 2 - 14, 6];

// Three corners, and for the fourth, where the Pi lies, a place along the back wall.
module screw_places() {
    for (place = [[-1, -1], [1, -1], [1, 1]])
        translate([place[0] * (size[0] / 2 - post_in), place[1] * (size[1] / 2 - post_in), 0]) children();
    translate([pi_at[0] + 9, size[1] / 2 - post_in, 0]) children();
}

module pi_frame() { translate(pi_at) rotate(180) children(); }

module pi_holes() {
    for (x = [0, 1], y = [0, 1])
        translate([hole_first[0] + x * hole_pitch[0], hole_first[1] + y * hole_pitch[1], 0]) children();
}

module tray_part() {
    difference() {
        union() {
            tray(size, r);
            screw_places() translate([0, 0, 1]) post(post_d, size[2] - 1, pilot_m3);
            pi_frame() pi_holes() translate([0, 0, -pi_feet - 1]) post(6, pi_feet + 1, pilot_m25);
            if (wired) translate([board_at[0], board_at[1], 1]) at_corners(nominal(base_board_pitch))
                post(6, board_at[2] - 1, pilot_m2);
            tie_bars();
        }
        pi_frame() {
            usb_windows();
            plug_windows();
            if (model == 4) translate([plugs_x[3], 0, 4.4]) rotate([90, 0, 0]) translate([0, 0, -2]) cylinder(d = 9.5, h = 14);
            // a draught from below, beside the feet
            translate([38, 28, -5]) slots(6, 34, 6);
            card_hole();
        }
        if (!wired) translate([38, 20, 0]) slots(8, 50, 7);
        side_vents();
        if (wired) jacks();
        feet();
    }
}

// One window a socket, which clears its lips; the pillars between them bear the roof.
module usb_windows() {
    wide = most(pi_usb)[0] + 1;
    for (y = sockets_y(model)) translate([nominal(pi_board)[0] - 3, y - wide / 2, 0]) cube([20, wide, most(pi_usb)[1] + 3]);
}

module plug_windows() {
    edges = [plugs_x[0] - 7, plugs_x[0] + 6.8, plugs_x[1] - 6.2, plugs_x[2] + 6.5];
    for (n = [0, 2]) translate([edges[n], -12, -1.6]) cube([edges[n + 1] - edges[n], 13, 10]);
}

// Through the floor at the card's end of the Pi: a finger draws the card out without a screwdriver.
module card_hole() {
    translate([-28, nominal(pi_card)[0] - 13, -20]) cube([30, 26, 19]);
}

module side_vents() {
    translate([pi_at[0] + 55, size[1] / 2, 40]) rotate([90, 0, 0]) slots(12, 12, 6);
    translate([size[0] / 2, display_at[1] + 10, 40]) rotate([90, 0, 90]) slots(8, 12, 6);
}

module jack_places() { for (seat = [1 : 5]) translate([(seat - 3) * jack_pitch, -size[1] / 2, jack_z]) children(); }

module jacks() {
    jack_places() {
        rotate([90, 0, 0]) translate([0, 0, -10]) cylinder(d = nominal(jack_hole), h = 20);
        // thinner within, for the thread
        translate([0, wall + 0.01, 0]) rotate([90, 0, 0]) cylinder(d = most(jack_body)[0] + 1, h = wall - nominal(jack_panel) + 0.01);
    }
    jack_names();
}

module jack_names() {
    for (seat = [1 : 5]) translate([(seat - 3) * jack_pitch, -size[1] / 2 + 0.6, jack_z - 11]) rotate([90, 0, 0])
        linear_extrude(2) text(str(seat), size = 8, halign = "center", valign = "center", font = "DejaVu Sans:bold");
}

// Bars to tie cables to, so that a tug never reaches a contact.
module tie_bars() {
    for (y = [-15, 15]) translate([tie_at[0], tie_at[1] + y, wall - 0.5]) difference() {
        translate([-4, -9, 0]) cube([8, 18, 8]);
        translate([-5, -5, 0.5]) cube([10, 10, 4]);
    }
}

module feet() {
    at_corners([size[0] - 40, size[1] - 40]) translate([0, 0, -0.01]) cylinder(d = 10.5, h = 1.2);
}

module lid_part() {
    window = active + 2 * [view_margin, view_margin];
    inner = glass + 2 * [frame_play, frame_play];
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
            translate([display_at[0], display_at[1], -rim[0]]) difference() {
                slab([inner[0] + 2 * frame_wall, inner[1] + 2 * frame_wall, rim[0] + 0.01], 6);
                translate([0, 0, -1]) slab([inner[0], inner[1], rim[0] + 2], 5);
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
            house_places() translate([0, 0, -5]) cylinder(d = nominal(button_16)[1], h = 20);
            house_names();
            translate([siren_at[0], siren_at[1], 0]) for (ring = [0 : 2], n = [0 : max(0, ring * 6 - 1)])
                rotate(n * 360 / max(1, ring * 6)) translate([ring * 4, 0, -5]) cylinder(d = 2, h = 20, $fn = 16);
        }
    }
}

clip_boss = 5;
foam = 1.2;                   // of 2 mm, when it is pressed; it takes what the rim of your glass differs
clip_out = 5.2;               // of the boss, from the glass
clip_reach = min(4, clip_out + rim[1] - 6);

// Before and behind the glass, where the lid has room for a boss.
module clip_places() {
    for (x = [-1, 1], y = [-1, 1])
        translate([x * 62, display_at[1] + y * (glass[1] / 2 + clip_out), 0]) rotate(y > 0 ? 180 : 0) children();
}

// Holds the rim of the glass against the lid, with foam between. Print four.
module clip_part() {
    difference() {
        hull() { cylinder(d = 7.6, h = 2.4); translate([-6, 6, 0]) cube([12, clip_reach, 2.4]); }
        translate([0, 0, -1]) cylinder(d = screw_m3, h = 5);
    }
    translate([-6, 6, 0]) cube([12, clip_reach, 2.4 + clip_boss - rim[0] - foam]);
}

// On the bosses, as they hold the glass.
module clips_placed() { clip_places() translate([0, 0, -clip_boss - 2.4]) clip_part(); }

module house_places() { for (n = [0 : 3]) translate([button_at[0] + n * button_pitch, button_at[1], 0]) children(); }

module house_names() {
    names = ["ok", "undo", "pause", "skip"];
    for (n = [0 : 3]) translate([button_at[0] + n * button_pitch, -size[1] / 2 + 8.2, lid - 0.6])
        linear_extrude(1) text(names[n], size = 5.4, halign = "center", valign = "center", font = "DejaVu Sans:bold");
}

module placed_pi() { pi_frame() pi_likeness(model, wired); }
module placed_board() { if (wired) translate(board_at) base_board_likeness(); }
module placed_jacks() { if (wired) jack_places() translate([0, nominal(jack_panel), 0]) jack_likeness(); }
module placed_plugs() {
    pi_frame() pi_plugs(model);
    if (wired) color("#30343a") jack_places() translate([0, -seat_plug_from, 0]) rotate([90, 0, 0])
        cylinder(d = most(seat_plug)[0], h = most(seat_plug)[1]);
}
module placed_display() { translate([display_at[0], display_at[1], 0]) display_likeness(display); }
module placed_buttons() {
    colours = ["#2e9e5b", "#e0a526", "#3b6ea5", "#8a8f96"];
    if (wired) for (n = [0 : 3]) translate([button_at[0] + n * button_pitch, button_at[1], lid])
        button_likeness(button_16, colours[n], lid);
}
module placed_siren() { if (wired) translate([siren_at[0], siren_at[1], 0]) siren_likeness(); }

// --- Cables -------------------------------------------------------------------------------------------------

right = [1, 0, 0];
back = [0, 1, 0];
above = [0, 0, 1];
apart = 0.7;                  // from an end to its plug, so that nothing overlaps

// From the Pi's header to the front, folded to the right, folded to the back, over its own socket and into it from behind.
module placed_gpio_ribbon() {
    wide = nominal(gpio_ribbon)[0];
    radius = most(gpio_ribbon)[2] + 0.2;
    pi = pi_at + [-nominal(pi_header)[0] - 25.5, -nominal(pi_header)[1] - 6 - apart, 1.4 + nominal(idc_ribbon)];
    board = board_at + [0, 29 + apart, nominal(base_board)[2] + nominal(idc_ribbon)];
    over = board + [0, 2, 2 * radius];
    first = fold_shift(-back, right, above, radius);
    second = fold_shift(right, back, -above, radius);
    fold_1 = [pi[0], over[1] - wide / 2 - 0.5, over[2]];
    fold_2 = [board[0] - second[0], fold_1[1] + first[1], over[2] + first[2]];
    color("#8a8f96") ribbon("gpio", gpio_ribbon, concat(
        strip(spline([pi, fold_1 + [0, wide / 2 + 0.5, 0]], [-back, -back]), right, wide),
        fold(fold_1, -back, right, above, right, wide, radius),
        fold(fold_2, right, back, -above, -back, wide, radius),
        strip(concat(spline([over, over + radius * (back - above), board + [0, 2, 0]], [back, -above, -back]), [board]), -right, wide)));
}

// Out of the display to the right, folded to the back, folded to the left, and down into the Pi.
module placed_display_ribbon() {
    wide = nominal(display_ribbon)[0];
    radius = most(display_ribbon)[2] + 0.2;
    socket = nominal(display[4]);
    from = [display_at[0] + socket[0] + apart, display_at[1] + socket[1], size[2] - socket[2]];
    into = pi_at + [-nominal(pi_display)[0], -nominal(pi_display)[1], 1.4 + most(pi_display_high) + apart];
    high = size[2] - most(display[2]) - 2;
    first = fold_shift(right, back, -above, radius);
    second = fold_shift(back, -right, above, radius);
    fold_1 = [from[0] + 17 + wide / 2, from[1], high];
    fold_2 = [fold_1[0] + first[0], into[1] - second[1], high + first[2]];
    down = high - into[2] - 3;
    color("#d8dbe0") ribbon("display", display_ribbon, concat(
        strip(spline([from, from + [16, 0, high - from[2]]], [right, right]), back, wide),
        fold(fold_1, right, back, -above, back, wide, radius),
        fold(fold_2, back, -right, above, right, wide, radius),
        strip(concat([[fold_1[0] - wide / 2 - 1, into[1], high]],
                     spline([[into[0] + down, into[1], high], into + [0, 0, 3]], [-right, -above]), [into]), -back, wide)));
}

// From the board up and over to the front. What is left of 30 cm lies beside the board.
lead_bend = 5.5;

module placed_seat_leads() {
    for (seat = [1 : 5]) {
        from = board_at + [16 * (seat - 1) - 32, -28.5, nominal(base_board)[2] + most(xh_plug_high) + apart];
        into = [(seat - 3) * jack_pitch, -size[1] / 2 + nominal(jack_panel) + most(jack_body)[1] + apart, jack_z];
        color("#e0a526") cable(str("lead of seat ", seat), seat_lead, spline([from, from + lead_bend * (above - back), into], [above, -back, -back]));
    }
}

// Outside: what is plugged in goes on straight, and lies on the table.
module placed_cables() {
    power = pi_at + [-plugs_x[0], 32 + apart, 3.5];
    color("#30343a") cable("power", power_cable, spline([power, [power[0], power[1] + 60, most(power_cable)[0] / 2]], [back, back]));
    if (wired) for (seat = [1 : 5]) {
        from = [(seat - 3) * jack_pitch, -size[1] / 2 - seat_plug_from - most(seat_plug)[1] - apart, jack_z];
        color("#30343a") cable(str("cable of seat ", seat), seat_cable,
            spline([from, [from[0], from[1] - 60, most(seat_cable)[0] / 2]], [-back, -back]));
    }
}

module tray_looks() {
    color("#7d8794") tray_part();
    if (wired) color("#20242a") intersection() { jack_names(); translate([0, 0, 50]) cube([size[0] - 40, size[1] + 0.1, 100], center = true); }
}
module lid_looks() {
    color("#efe9dc") lid_part();
    if (wired) color("#20242a") translate([0, 0, -0.35]) house_names();
}
module lifted(up) { translate([0, 0, size[2] + up]) children(); }

if (view == "tray") on_bed(size) tray_part();
if (view == "lid") on_bed(size) translate([0, 0, lid]) rotate([180, 0, 0]) lid_part();
if (view == "clips") for (n = [0 : 3]) translate([n * 18, 0, 0]) clip_part();
if (view == "closed") { tray_looks(); placed_pi(); lifted(0) { lid_looks(); placed_display(); placed_buttons(); } }
// For the tests: each part where it is when all is screwed together, and what is bought, one by one.
if (view == "lid-placed") lifted(0) lid_part();
if (view == "clips-placed") lifted(0) clips_placed();
if (view == "pi") placed_pi();
if (view == "plugs") placed_plugs();
if (view == "board") placed_board();
if (view == "jacks") placed_jacks();
if (view == "display") lifted(0) placed_display();
if (view == "buttons") lifted(0) placed_buttons();
if (view == "siren") lifted(0) placed_siren();
if (view == "gpio-ribbon") placed_gpio_ribbon();
if (view == "display-ribbon") placed_display_ribbon();
if (view == "leads") placed_seat_leads();
if (view == "cables") placed_cables();
if (view == "ribbons") {
    tray_looks(); placed_pi(); placed_board(); placed_display_ribbon();
    if (wired) placed_gpio_ribbon();
    // of the display only the socket, so that the folds can be seen
    color("#e9e4d4") translate([display_at[0] + nominal(display[4])[0], display_at[1] + nominal(display[4])[1], size[2] - nominal(display[4])[2]])
        translate([-4, -11, -1.5]) cube([4, 22, 3]);
}
// Steps of the guides.
if (view == "step-pi") { tray_looks(); translate([0, 0, 40]) placed_pi(); pi_frame() pi_holes() translate([0, 0, 60]) screw_likeness(2.5, 6); }
if (view == "step-board") {
    tray_looks(); placed_pi(); placed_jacks();
    translate([0, 0, 35]) placed_board();
    translate([board_at[0], board_at[1], board_at[2] + 65]) at_corners(nominal(base_board_pitch)) screw_likeness(2, 5);
}
// From below: the lid lies on its face.
if (view == "step-glass") rotate([180, 0, 0]) {
    lid_looks(); placed_buttons(); placed_siren();
    translate([0, 0, -45]) placed_display();
    translate([0, 0, -85]) clips_placed();
    clip_places() translate([0, 0, -115]) rotate([180, 0, 0]) screw_likeness(3, 10);
}
if (view == "open") {
    tray_looks(); placed_pi(); placed_board(); placed_jacks();
    lifted(75) { lid_looks(); placed_display(); placed_buttons(); translate([0, 0, -14]) color("#d9822b") clips_placed(); }
    lifted(75) screw_places() translate([0, 0, 30]) screw_likeness(3, 10);
}
// What is worth trying before hours of printing: a corner of the glass, a socket, a button, an M3 pilot.
if (view == "coupon") coupon();

module coupon() {
    translate([0, 0, lid]) rotate([180, 0, 0]) intersection() {
        lid_part();
        translate([-size[0] / 2, display_at[1] + glass[1] / 2 - 28, -50]) cube([50, 50, 100]);
    }
    if (wired) translate([-size[0] / 2 + 60, 0, 0]) difference() {
        cube([64, 26, lid]);
        translate([13, 13, -1]) cylinder(d = nominal(button_16)[1], h = 10);
        translate([34, 13, -1]) cylinder(d = nominal(jack_hole), h = 10);
        translate([50, 13, -1]) cylinder(d = pilot_m3, h = 10);
        translate([34, 13, nominal(jack_panel)]) cylinder(d = most(jack_body)[0] + 1, h = 10);
    }
}
