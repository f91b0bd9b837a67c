"""How many instructions the program takes on a Raspberry Pi's processor, whatever machine counts them."""
