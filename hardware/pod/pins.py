"""The wiring of the Pico's GPIOs. Change it only here."""

ROWS = (2, 3, 4, 5)
COLUMNS = (6, 7, 8, 9)
KEYS = ("123A", "456B", "789C", "*0#D")  # as printed on the keypad, by row

BUZZER = 10  # a contact to ground
LAMP = 11  # high: lit, through a transistor

I2C = 0
SDA = 16
SCL = 17
SCREEN = "oled"  # "oled": SSD1306, 128 wide; "lcd": HD44780 behind a PCF8574; None: no screen
SCREEN_ADDRESS = 0x3C  # an oled has 0x3C or 0x3D, an lcd 0x27 (PCF8574) or 0x3F (PCF8574A)
LCD_COLUMNS = 16  # or 20
LCD_LINES = 2  # or 4
OLED_HEIGHT = 64  # four lines, or 32: two
