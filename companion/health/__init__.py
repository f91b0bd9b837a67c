"""Whether all works: doctor, guided check, service, logbook, failures."""
