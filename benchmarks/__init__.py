"""What `make bench` measures: speed, growth and memory, as ratios of one run wherever there is a peer."""
