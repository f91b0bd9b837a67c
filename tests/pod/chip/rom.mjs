// A boot ROM for the emulated chip, since the emulator has none. Each ROM function that MicroPython uses is a trap that
// is handled here. Floats are rounded to single precision, like the ROM's. An unknown function stops the run by name.

const FUNCTIONS = 0x100; // the tables' addresses for the look-up, which is also a trap
const DATA = 0x102;
const STUBS = 0x400;
const FLOATS = 0x3000;
const DOUBLES = 0x3100;
const STACK = 0x20041f00;
const VERSION = 3;
const SECTOR = 4096;

// The order of the ROM's single-precision functions in version 3; double precision has the same.
const TABLE = [
  "add", "sub", "mul", "div", "cmp_fast", "cmp_fast_flags", "sqrt", "to_int", "to_fix", "to_uint", "to_ufix",
  "from_int", "from_fix", "from_uint", "from_ufix", "cos", "sin", "tan", "atan2", "exp", "ln", "cmp", "atan2_deg",
  "from_int64", "from_fix64", "from_uint64", "from_ufix64", "to_int64", "to_fix64", "to_uint64", "to_ufix64", "other",
];

const bits = new DataView(new ArrayBuffer(8));

function asFloat(word) {
  bits.setUint32(0, word);
  return bits.getFloat32(0);
}

function fromFloat(value) {
  bits.setFloat32(0, value);
  return bits.getUint32(0);
}

const clamped = (value, least, most) => (Number.isNaN(value) ? 0 : Math.min(most, Math.max(least, Math.trunc(value))));

const FLOAT_FUNCTIONS = {
  add: (a, b) => fromFloat(asFloat(a) + asFloat(b)),
  sub: (a, b) => fromFloat(asFloat(a) - asFloat(b)),
  mul: (a, b) => fromFloat(asFloat(a) * asFloat(b)),
  div: (a, b) => fromFloat(asFloat(a) / asFloat(b)),
  sqrt: (a) => fromFloat(Math.sqrt(asFloat(a))),
  to_int: (a) => clamped(asFloat(a), -(2 ** 31), 2 ** 31 - 1),
  to_uint: (a) => clamped(asFloat(a), 0, 2 ** 32 - 1),
  from_int: (a) => fromFloat(a | 0),
  from_uint: (a) => fromFloat(a >>> 0),
};

/** Return the words of the ROM, and its traps: functions of the chip and four registers. */
export function makeRom() {
  const words = new Uint32Array(4096);
  const view = new DataView(words.buffer);
  const traps = [];

  function stub(trap) {
    const at = STUBS + 4 * traps.length;
    view.setUint16(at, 0xbe00 | traps.length, true); // BKPT
    view.setUint16(at + 2, 0x4770, true); // BX LR
    traps.push(trap);
    return at | 1;
  }

  const named = new Map();
  for (const [name, trap] of Object.entries(ROM_FUNCTIONS)) named.set(name, stub(trap));
  const data = new Map([["SF", FLOATS], ["SD", DOUBLES]]);
  TABLE.forEach((name, at) => {
    const trap = FLOAT_FUNCTIONS[name] ?? missing(`float ${name}`);
    view.setUint32(FLOATS + 4 * at, stub((_chip, ...given) => trap(...given)), true);
    view.setUint32(DOUBLES + 4 * at, stub(missing(`double ${name}`)), true);
  });
  for (const table of [FLOATS, DOUBLES]) view.setUint16(table - 2, TABLE.length, true);
  view.setUint32(0, STACK, true);
  view.setUint8(0x10, 0x4d);
  view.setUint8(0x11, 0x75);
  view.setUint8(0x12, 1);
  view.setUint8(0x13, VERSION);
  view.setUint16(0x14, FUNCTIONS, true);
  view.setUint16(0x16, DATA, true);
  const lookUp = (_chip, table, code) => {
    const name = String.fromCharCode(code & 0xff, (code >> 8) & 0xff);
    const found = (table === DATA ? data : named).get(name);
    if (table === DATA || found) return found ?? 0;
    named.set(name, stub(missing(`function ${name}`))); // looked up, but not called
    return named.get(name);
  };
  view.setUint16(0x18, stub(lookUp), true);
  return { words, view, traps };
}

function missing(what) {
  return () => {
    throw new Error(`the ROM's ${what} is not there: tests/pod/chip/rom.mjs`);
  };
}

function fill(chip, at, value, count) {
  for (let n = 0; n < count; n++) chip.writeUint8(at + n, value & 0xff);
  return at;
}

function copy(chip, to, from, count) {
  for (let n = 0; n < count; n++) chip.writeUint8(to + n, chip.readUint8(from + n));
  return to;
}

const nothing = () => undefined;

const ROM_FUNCTIONS = {
  MS: fill,
  S4: fill,
  MC: copy,
  C4: copy,
  P3: (_chip, word) => word.toString(2).replaceAll("0", "").length,
  L3: (_chip, word) => Math.clz32(word),
  T3: (_chip, word) => (word ? 31 - Math.clz32(word & -word) : 32),
  R3: (_chip, word) => parseInt(word.toString(2).padStart(32, "0").split("").reverse().join(""), 2),
  IF: nothing, // connect, leave the mapping, flush, map again
  EX: nothing,
  FC: nothing,
  CX: nothing,
  RE: (chip, at, count) => void chip.flash.fill(0xff, at, at + Math.ceil(count / SECTOR) * SECTOR),
  RP: (chip, at, from, count) => {
    for (let n = 0; n < count; n++) chip.flash[at + n] &= chip.readUint8(from + n); // bits can only be cleared
  },
};
