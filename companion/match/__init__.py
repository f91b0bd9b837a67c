"""One match at one table: what its seats and the centre are told, reveal, photo finish, sounds, robots, lessons."""
