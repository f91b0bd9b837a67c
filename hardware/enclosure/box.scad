// Shapes that all enclosures are made of. Lengths in millimetres.

wall = 2.4;          // six lines of a 0.4 mm nozzle
fit = 0.3;           // play between two printed parts
screw_m3 = 3.3;      // a hole that M3 passes through
pilot_m3 = 2.6;      // a hole that M3 cuts its thread into
head_m3 = 6.4;       // and what its head needs
pilot_m25 = 2.1;
pilot_m2 = 1.6;

$fn = 48;

module slab(size, r) {
    linear_extrude(size[2]) offset(r) square([size[0] - 2 * r, size[1] - 2 * r], center = true);
}

// A slab whose lower edge is broken at 45 degrees: prints without support, kinder to hands.
module soft_slab(size, r, edge = 1.6) {
    hull() {
        translate([0, 0, edge]) slab([size[0], size[1], size[2] - edge], r);
        slab([size[0] - 2 * edge, size[1] - 2 * edge, 0.01], r - edge);
    }
}

module tray(size, r, floor = wall) {
    difference() {
        soft_slab(size, r);
        translate([0, 0, floor]) slab([size[0] - 2 * wall, size[1] - 2 * wall, size[2]], r - wall);
    }
}

module post(d, h, pilot) {
    difference() {
        cylinder(d = d, h = h);
        translate([0, 0, 1]) cylinder(d = pilot, h = h);
    }
}

// Four places, half a pitch from the middle.
module at_corners(pitch) {
    for (x = [-1, 1], y = [-1, 1]) translate([x * pitch[0] / 2, y * pitch[1] / 2, 0]) children();
}

module slots(count, length, pitch, width = 2.4, depth = 20) {
    for (n = [0 : count - 1])
        translate([(n - (count - 1) / 2) * pitch, 0, 0]) hull() for (y = [-1, 1])
            translate([0, y * (length - width) / 2, -depth / 2]) cylinder(d = width, h = depth, $fn = 20);
}

module countersunk(plate) {
    translate([0, 0, -1]) cylinder(d = screw_m3, h = plate + 2);
    translate([0, 0, plate - 1.7]) cylinder(d1 = screw_m3, d2 = head_m3, h = 1.71);
}

bed = 220;
skirt = 3.5;         // what a skirt of one line needs, all round

// Whether a part and its skirt lie on the printer's bed.
module on_bed(size) {
    room = bed - 2 * skirt;
    assert(size[0] <= room && size[1] <= room, str("does not fit a bed of ", bed, " mm with its skirt: ", size));
    children();
}

module screw_likeness(d, long) {
    color("#b9bec6") { cylinder(d = d, h = long, $fn = 20); translate([0, 0, long]) cylinder(d1 = d, d2 = 2 * d, h = d / 2, $fn = 20); }
}
