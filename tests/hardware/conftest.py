"""`make hardware-check` runs what needs OpenSCAD."""

collect_ignore = ["enclosure"]
