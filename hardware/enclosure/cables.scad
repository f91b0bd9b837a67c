// Cables and ribbons as they lie: a cable follows a spline, a ribbon is a strip with folds. For the pictures, and for tests
// that measure bends, length and room. Each is echoed: [name, thickness, least radius, points or rulings].

function unit(v) = v / norm(v);

function hermite(p, a, q, b, t) =
    (2 * t ^ 3 - 3 * t ^ 2 + 1) * p + (t ^ 3 - 2 * t ^ 2 + t) * a + (3 * t ^ 2 - 2 * t ^ 3) * q + (t ^ 3 - t ^ 2) * b;

// A smooth line through these places, in these directions (of length 1). A turn in a plane comes out as an arc.
function spline(at, ways, steps = 16) = let(last = len(at) - 1)
    [for (n = [0 : last - 1], step = [0 : steps - 1]) let(
         turn = acos(min(1, ways[n] * ways[n + 1])),
         long = norm(at[n + 1] - at[n]) / cos(turn / 4) ^ 2
     ) hermite(at[n], long * ways[n], at[n + 1], long * ways[n + 1], step / steps), at[last]];

// The rulings of a strip along these points: its left and its right end, seen from `across`.
function strip(points, across, wide) = [for (p = points) [p + across * wide / 2, p - across * wide / 2]];

// A fold by 45 degrees round a pencil: the strip turns from one direction to the other, `up` by two radii, and its back is its face.
function fold(at, from, to, up, across, wide, radius, steps = 12) = let(
    axis = unit(from + to),
    out = unit(from - to),
    reach = (axis * across > 0 ? 1 : -1) * axis * wide / sqrt(2)
) [for (step = [0 : steps]) let(
       turn = 180 * step / steps,
       p = at + axis * radius * turn * PI / 180 + out * radius * sin(turn) + up * radius * (1 - cos(turn))
   ) [p + reach, p - reach]];

// How far a fold moves the middle of its strip.
function fold_shift(from, to, up, radius) = unit(from + to) * PI * radius + up * 2 * radius;

// A rod from here to there, for hulls.
module rod(from, to, d) {
    way = to - from;
    translate(from) rotate([0, acos(way[2] / norm(way)), atan2(way[1], way[0])]) cylinder(d = d, h = norm(way), $fn = 12);
}

// `part` is [thickness, least radius] of bought.scad.
module cable(name, part, points) {
    thick = most(part)[0];
    echo([name, thick, most(part)[1], points]);
    last = len(points) - 1;
    for (n = [0 : last - 1]) hull() {
        disc(points[n], points[n + 1] - points[max(0, n - 1)], thick);
        disc(points[n + 1], points[min(last, n + 2)] - points[n], thick);
    }
}

module disc(at, way, d) {
    translate(at) rotate([0, acos(way[2] / norm(way)), atan2(way[1], way[0])]) cylinder(d = d, h = 0.01, center = true, $fn = 16);
}

// `part` is [width, thickness, least radius] of bought.scad.
module ribbon(name, part, rulings) {
    thick = most(part)[1];
    echo([name, thick, most(part)[2], rulings]);
    for (n = [0 : len(rulings) - 2]) hull() for (ruling = [rulings[n], rulings[n + 1]]) rod(ruling[0], ruling[1], thick);
}
