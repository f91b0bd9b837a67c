// Dimensions of what is bought, in millimetres: [nominal, how far yours may differ either way]; // where it is from
// The only file that has them: the boxes give way by what is written here, and tests/hardware reads it too.
// "not measured" is what it says: nobody of us had the part on a bench. Measure yours, write it in with 0.1 or 0.2
// behind it, and print the fit coupon before the box.

// --- Raspberry Pi 4 and 5: corner of the board beside the power socket is the origin -------------------

pi_board        = [[85, 56, 1.4], 0.2];        // maker's mechanical drawing of the Pi 4
pi_hole_first   = [[3.5, 3.5], 0.1];           // maker's mechanical drawing
pi_hole_pitch   = [[58, 49], 0.1];             // maker's mechanical drawing
pi_hole_d       = [2.7, 0.1];                  // maker's mechanical drawing; for M2.5
pi_plugs_x      = [[11.2, 26.0, 39.5, 54], 0.2]; // maker's mechanical drawing; USB-C, two HDMI, audio (a Pi 5 has none)
pi4_sockets_y   = [[9, 27, 45.75], 0.2];       // maker's mechanical drawing; USB, USB, Ethernet
pi5_sockets_y   = [[10.2, 29.1, 47], 0.2];     // maker's mechanical drawing; Ethernet, USB, USB
pi_usb          = [[15.3, 16], 0.3];           // not measured; width over the lips, height above the board
pi_usb_out      = [3, 0.5];                    // maker's mechanical drawing; USB reaches over the edge
pi_display      = [[4, 28], 0.3];              // maker's mechanical drawing; middle of its DISPLAY socket, which lies across
pi_display_high = [5.5, 0.5];                  // not measured; its ribbon goes in from above
pi_header       = [[7.1, 50], 0.3];            // maker's mechanical drawing; the first corner of 51 x 5
pi_header_high  = [8.5, 0.3];                  // not measured
pi_card         = [[28, 12], 1];               // maker's mechanical drawing; middle and width of the card at the far end
idc_high        = [16, 2];                     // not measured; socket of a ribbon with its clamp, above the board
idc_ribbon      = [13, 2];                     // not measured; where the ribbon leaves it, above the board

// --- Displays of 7 inches: glass, active area, depth behind the glass, rim of the glass ----------------

touch_display_glass   = [[192.96, 110.76], 0.4]; // maker's mechanical drawing, Touch Display of 2015
touch_display_active  = [[154.08, 85.92], 0.2];  // maker's mechanical drawing
touch_display_depth   = [20, 3];                 // not measured; with its board and plugs
touch_display_rim     = [[2.0, 5.0], 0.6];       // not measured; thickness at the edge, free width behind it
touch_display_socket  = [[33, 0, 17], 3];        // not measured; of its ribbon: right of the middle, above it, behind the glass

touch_display_2_glass  = [[189.32, 120.24], 0.4]; // maker's product brief, Touch Display 2
touch_display_2_active = [[154.56, 86.94], 0.2];  // maker's product brief
touch_display_2_depth  = [16, 3];                 // not measured
touch_display_2_rim    = [[2.0, 5.0], 0.6];       // not measured
touch_display_2_socket = [[33, 0, 13], 3];        // not measured

// --- Boards ----------------------------------------------------------------------------------------------

base_board      = [[90, 70, 1.6], 0.3];        // ours; perforated boards are sold in this size
base_board_pitch = [[86, 66], 0.3];            // ours; perforated boards: not measured
pod_board       = [[50, 70, 1.6], 0.3];        // ours; perforated boards are sold in this size
pod_board_pitch = [[46, 66], 0.3];             // ours; perforated boards: not measured
board_pins      = [3, 0.5];                    // cut pins below a board
pico_board      = [[21, 51, 1], 0.2];          // maker's data sheet
pico_high       = [11, 0.5];                   // shops; 8.5 of a socket and 2.5 of a pin strip, under the Pico
pico_usb_over   = [1.3, 0.2];                  // maker's data sheet; micro USB over the end
pico_from_end   = [1.5, 0.5];                  // ours; from the end of the pod's board
usb_plug        = [[11, 8], 1];                // not measured; width and height of a moulded micro USB plug
usb_plug_long   = [32, 4];                     // not measured; with what keeps its cable from bending

// --- Cables: thickness and the least radius of a bend; ribbons: width, thickness, least radius -------------

gpio_ribbon     = [[50.8, 1, 3], [0.5, 0.1, 0.3]];   // shops; 40 ways of 1.27 mm, folded round a pencil
display_ribbon  = [[16, 0.3, 3], [0.3, 0.1, 0.3]];   // shops; 15 ways of 1 mm
keypad_ribbon   = [[20.5, 0.3, 2], [1, 0.1, 0.4]];   // not measured; the tail of the keypad
usb_cable       = [[4, 15], [0.8, 5]];         // shops; of a pod
power_cable     = [[4.5, 20], [0.5, 5]];       // not measured; of the official supply
seat_cable      = [[4, 15], [0.8, 5]];         // shops; with a plug of 3.5 mm
seat_plug       = [[9, 28], [1, 4]];           // not measured; moulded: thickness, and how far it stands out of its socket
seat_lead       = [[3, 2.5], 0.5];             // not measured; three wires of 1.3 mm, each of which bends to twice that
xh_plug_high    = [9.8, 0.3];                  // maker's data sheet; in its header, above the board

// --- For seats -------------------------------------------------------------------------------------------

keypad_size     = [[69, 77, 0.9], 0.5];        // shops; membrane, self-adhesive, 4 x 4 keys
keypad_tail     = [[20.5, 85], 1.5];           // shops; width, and how far it reaches from the lower edge
keypad_plug     = [[20.6, 2.7], 0.3];          // not measured; 1 x 8 socket of 2.54 mm at its end
oled_board      = [[27.4, 27.8, 1.6], 0.4];    // shops; 0.96 inch, 128 x 64
oled_hole_pitch = [[23.4, 23.8], 0.3];         // shops; for M2
oled_view       = [[23, 12], 0.5];             // shops; what has to be seen, with its rim
oled_view_up    = [3.2, 0.8];                  // not measured; its middle above the middle of the board
oled_behind     = [12, 2];                     // not measured; pins and plugs behind the board

// [dome, hole, depth below the panel, height above it]
button_30       = [[35, 30.2, 36, 12], [0.5, 0.2, 6, 2]];  // shops; snap-in arcade button with a lamp
button_60       = [[60, 24.2, 60, 22], [1, 0.5, 4, 3]];    // shops; with its switch and holder, terminals bent
button_100      = [[100, 24.2, 64, 34], [1, 0.5, 6, 4]];   // not measured
button_16       = [[18, 16.2, 24, 3], [0.5, 0.2, 4, 1]];   // shops; push button of the house
led_10_hole     = [10.2, 0.2];                 // data sheets of LEDs; collar 10.8 inside
jack_hole       = [6.2, 0.2];                  // shops; 3.5 mm stereo socket with a thread of M6
jack_panel      = [2.0, 0.3];                  // not measured; the thread reaches through this much
jack_body       = [[12, 18], 1];               // not measured; width, depth with lugs and wires
siren_body      = [[24, 12], 2];               // shops; diameter, height

function nominal(part) = part[0];
function most(part) = part[0] + (is_num(part[1]) && is_list(part[0]) ? [for (n = part[0]) part[1]] : part[1]);
function least(part) = part[0] - (is_num(part[1]) && is_list(part[0]) ? [for (n = part[0]) part[1]] : part[1]);
