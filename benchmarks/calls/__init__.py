"""Who was first, measured: pairs of presses on a real kernel, judged by us and by three naive programs."""
