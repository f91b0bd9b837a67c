// The pod's firmware on an emulated RP2040 with MicroPython's own build.
// Usage: node run.mjs FOLDER_WITH_NODE_MODULES IMAGE_OF_MICROPYTHON [FOLDER_OF_FIRMWARE]

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Board, flashWith, useEmulator } from "./board.mjs";
import { Host, copyOnto } from "./host.mjs";
import * as tests from "./tests.mjs";

const [, , modules, image, firmware] = process.argv;
const here = path.dirname(fileURLToPath(import.meta.url));
const folder = firmware ?? path.join(here, "..", "..", "..", "hardware", "pod");
const KEY = Buffer.from(Array.from({ length: 32 }, (_, at) => at));
const BOOT_MS = 5000;

useEmulator(modules);
const began = Date.now();
const files = Object.fromEntries(
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".py"))
    .map((name) => [name, fs.readFileSync(path.join(folder, name))]),
);
const blank = new Board(flashWith(fs.readFileSync(image)));
copyOnto(blank, files);
const plain = blank.flash.slice();
copyOnto(blank, { "key.txt": `${KEY.toString("hex")}\n` });
const paired = blank.flash.slice();
console.log(`${Object.keys(files).length} files copied into the flash`);

/** Return a newly connected pod and its host; with `key` it is paired. */
function pod({ oled = true, key = null } = {}) {
  const board = new Board((key ? paired : plain).slice(), { oled });
  const host = new Host(board);
  if (!board.run(BOOT_MS, () => board.connected)) throw new Error("the board does not come up");
  return { board, host };
}

let failed = 0;
const all = Object.entries(tests).filter(([name]) => name.startsWith("test"));
for (const [name, test] of all) {
  const from = Date.now();
  try {
    test(pod, KEY, files);
    console.log(`passed ${name} (${((Date.now() - from) / 1e3).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n${error.stack}`);
  }
}
const seconds = Math.round((Date.now() - began) / 1e3);
console.log(`${all.length - failed} passed, ${failed} failed in ${seconds} s, ${Math.round(process.cpuUsage().user / 1e6)} s of the processor`);
process.exit(failed === 0 ? 0 : 1);
