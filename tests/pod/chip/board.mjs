// A Raspberry Pi Pico in virtual time, with a pod's OLED, keypad, buzzer and lamp, and a host at its USB. The emulator
// counts 8 ns for each cycle, ignores waits for the flash, and delivers USB packets at once, so real hardware is slower.

import { createRequire } from "node:module";
import path from "node:path";
import { makeRom } from "./rom.mjs";

const CYCLE_NS = 8;
const TRAP_CYCLES = 40; // approximate cost of a ROM function; each byte it moves counts one more
const KEY_ROWS = [2, 3, 4, 5];
const KEY_COLUMNS = [6, 7, 8, 9];
const BUZZER = 10;
const LAMP = 11;
const OLED_ADDRESS = 0x3c;
const WATCHDOG = 0x40058;
const OSCILLATOR = 0x40060; // os.urandom() reads its random bit
const RANDOM_BIT = 0x1c;
const FLASH = 0x10000000;

let emulator;

/** Load rp2040js from a folder. */
export function useEmulator(folder) {
  emulator = createRequire(path.join(path.resolve(folder), "package.json"))("rp2040js");
}

/** Return a flash with an image of MicroPython: a UF2, or the bytes at the start of the flash. */
export function flashWith(image) {
  const flash = new Uint8Array(2 * 1024 * 1024).fill(0xff);
  if (image.readUInt32LE(0) !== 0x0a324655) {
    flash.set(image);
    return flash;
  }
  for (let at = 0; at + 512 <= image.length; at += 512) {
    const address = image.readUInt32LE(at + 12);
    if (address < FLASH || address >= FLASH + flash.length) continue; // for another chip
    flash.set(image.subarray(at + 32, at + 32 + image.readUInt32LE(at + 16)), address - FLASH);
  }
  return flash;
}

/** The board, which takes over `flash`. It calls `heard(text)` with its output at the USB. */
export class Board {
  constructor(flash, { oled = true } = {}) {
    this._flash = flash;
    this.oled = oled;
    this.heard = () => {};
    this.resets = 0;
    this.keys = new Set();
    this.screen = new Uint8Array(1024);
    this._random = 1;
    this._beganNs = 0;
    this._plan = [];
    this._closed = false;
    this._start();
  }

  /** The flash's content. */
  get flash() {
    return this._chip.flash.slice(0, this._flash.length);
  }

  /** The time since the first start, in ms. */
  get ms() {
    return (this._beganNs + this._clock.nanos) / 1e6;
  }

  get lamp() {
    return this._chip.gpio[LAMP].value === emulator.GPIOPinState.High;
  }

  get connected() {
    return this._cdc.initialized;
  }

  /** Plan an action at a time, for `run`. */
  at(ms, act) {
    let place = this._plan.length;
    while (place && this._plan[place - 1].ms > ms) place -= 1;
    this._plan.splice(place, 0, { ms, act });
  }

  /** Let time pass until a moment, or until something is true; return whether it became true. */
  run(untilMs, done = () => false) {
    while (this.ms < untilMs) {
      if (done()) return true;
      if (this._plan.length && this.ms >= this._plan[0].ms) this._plan.shift().act();
      else this._step(untilMs);
    }
    return done();
  }

  /** Send text to the board. */
  send(text) {
    for (const byte of Buffer.from(text, "latin1")) this._sent.push(byte);
    this._give();
  }

  /** Close or open the buzzer's contact. */
  buzz(closed) {
    this._closed = closed;
    this._chip.gpio[BUZZER].setInputValue(!closed);
  }

  /** Press or release a key by its number, row by row from 0. */
  key(place, pressed) {
    if (pressed) this.keys.add(place);
    else this.keys.delete(place);
    this._sense();
  }

  /** Return the OLED's picture: 64 lines of 128 characters. */
  picture() {
    return Array.from({ length: 64 }, (_, y) =>
      Array.from({ length: 128 }, (_, x) => ((this.screen[(y >> 3) * 128 + x] >> (y & 7)) & 1 ? "#" : " ")).join(""),
    );
  }

  _start() {
    const simulator = new emulator.Simulator();
    const chip = (this._chip = simulator.rp2040);
    this._clock = simulator.clock;
    chip.logger = new emulator.ConsoleLogger(emulator.LogLevel.Error);
    const rom = makeRom();
    chip.loadBootrom(rom.words);
    chip.flash.set(this._flash);
    chip.onBreak = (number) => {
      const trap = rom.traps[number];
      if (!trap) throw new Error(`the program stopped at a breakpoint, ${number}`);
      const known = rom.traps.length;
      const given = Array.from(chip.core.registers.subarray(0, 4), (word) => word >>> 0);
      const returned = trap(chip, ...given);
      if (rom.traps.length > known) chip.bootrom.set(rom.words);
      if (returned !== undefined) chip.core.registers[0] = returned;
      this._trapped = TRAP_CYCLES;
    };
    this._trapped = 0;
    for (const pin of chip.gpio) pin.setInputValue(true);
    chip.gpio[BUZZER].setInputValue(!this._closed);
    for (const row of KEY_ROWS) chip.gpio[row].addListener(() => this._sense());
    this._wireScreen(chip.i2c[0]);
    this._wireHost(chip);
    chip.peripherals[WATCHDOG].onWatchdogTrigger = () => (this._resetting = true);
    this._resetting = false;
    const oscillator = chip.peripherals[OSCILLATOR];
    const read = oscillator.readUint32.bind(oscillator);
    oscillator.readUint32 = (offset) => (offset === RANDOM_BIT ? this._randomBit() : read(offset));
    chip.core.PC = FLASH;
  }

  _step(untilMs) {
    if (this._resetting) {
      this.resets += 1;
      this._flash = this.flash;
      this._beganNs += this._clock.nanos;
      const scratch = this._chip.peripherals[WATCHDOG].scratchData; // only without power does it forget
      this._start();
      this._chip.peripherals[WATCHDOG].scratchData.set(scratch);
    }
    const core = this._chip.core;
    if (core.waiting) {
      const nextNs = (Math.min(untilMs, this._plan[0]?.ms ?? untilMs) - this.ms) * 1e6;
      const alarmNs = this._clock.nanosToNextAlarm;
      this._clock.tick(Math.max(CYCLE_NS, Math.min(alarmNs > 0 ? alarmNs : 1000, nextNs)));
    } else {
      const cycles = core.executeInstruction() + this._trapped;
      this._trapped = 0;
      this._clock.tick(cycles * CYCLE_NS);
    }
  }

  _randomBit() {
    this._random = (Math.imul(this._random, 1664525) + 1013904223) >>> 0;
    return this._random >>> 31;
  }

  _sense() {
    KEY_COLUMNS.forEach((pin, column) => {
      const low = KEY_ROWS.some(
        (row, at) => this.keys.has(4 * at + column) && this._chip.gpio[row].value === emulator.GPIOPinState.Low,
      );
      this._chip.gpio[pin].setInputValue(!low);
    });
  }

  // --- On the bus: an SSD1306 of 128 x 64 -----------------------------------------------------------------

  _wireScreen(bus) {
    let written = [];
    const area = { left: 0, right: 127, top: 0, bottom: 7, column: 0, page: 0 };
    bus.onStart = () => bus.completeStart();
    bus.onConnect = (address) => {
      written = [];
      bus.completeConnect(this.oled && address === OLED_ADDRESS);
    };
    bus.onWriteByte = (byte) => {
      written.push(byte);
      bus.completeWrite(true);
    };
    bus.onReadByte = () => bus.completeRead(0xff);
    bus.onStop = () => {
      const [control, ...bytes] = written;
      if (control === 0x00 && bytes[0] === 0x21) {
        const [, left, right, , top, bottom] = bytes;
        Object.assign(area, { left, right, top, bottom, column: left, page: top });
      } else if (control === 0x40) {
        for (const byte of bytes) this._draw(area, byte);
      }
      written = [];
      bus.completeStop();
    };
  }

  _draw(area, byte) {
    this.screen[128 * area.page + area.column] = byte;
    area.column += 1;
    if (area.column > area.right) {
      area.column = area.left;
      area.page = area.page === area.bottom ? area.top : area.page + 1;
    }
  }

  // --- The host at the other end of the cable -------------------------------------------------------------

  _wireHost(chip) {
    const usb = chip.usbCtrl;
    this._cdc = new emulator.USBCDC(usb);
    this._sent = [];
    this._wanted = null; // the packet that the board waits for; a host sends no empty ones
    usb.onEndpointRead = (endpoint, size) => {
      if (endpoint !== this._cdc.outEndpoint) return;
      this._wanted = { endpoint, size };
      this._give();
    };
    this._cdc.onSerialData = (bytes) => this.heard(Buffer.from(bytes).toString("latin1"));
  }

  _give() {
    if (!this._wanted || !this._sent.length) return;
    const { endpoint, size } = this._wanted;
    this._wanted = null;
    this._chip.usbCtrl.endpointReadDone(endpoint, Uint8Array.from(this._sent.splice(0, size)));
  }
}
