// Runs tests/pod/vm/test_*.py, each in a separate MicroPython, with the firmware's files.
// Usage: node run.mjs FOLDER_WITH_NODE_MODULES

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HEAP_BYTES = 192 * 1024; // it grows, and is freed only after each file, so nothing here measures memory
const here = path.dirname(fileURLToPath(import.meta.url));
const firmware = path.join(here, "..", "..", "hardware", "pod");
const tests = path.join(here, "vm");
const modules = path.join(path.resolve(process.argv[2]), "node_modules");
const port = path.join(modules, "@micropython", "micropython-webassembly-pyscript", "micropython.mjs");
const { loadMicroPython } = await import(pathToFileURL(port));

const RUN = (name) => `
import sys, ${name}
for name in sorted(dir(${name})):
    if name.startswith("test_"):
        try:
            getattr(${name}, name)()
        except Exception as error:
            print("FAILED", "${name}." + name)
            sys.print_exception(error)
        else:
            print("passed", "${name}." + name)
`;

function copy(folder, mp) {
  for (const file of fs.readdirSync(folder).filter((file) => file.endsWith(".py"))) {
    mp.FS.writeFile("/" + file, fs.readFileSync(path.join(folder, file)));
  }
}

let passed = 0;
let failed = 0;
function heard(line) {
  console.log(line);
  if (line.startsWith("passed ")) passed += 1;
  if (line.startsWith("FAILED ")) failed += 1;
}

for (const file of fs.readdirSync(tests).filter((file) => /^test_.*\.py$/.test(file)).sort()) {
  const before = passed + failed;
  const mp = await loadMicroPython({ heapsize: HEAP_BYTES, stdout: heard, linebuffer: true });
  copy(firmware, mp);
  copy(tests, mp);
  mp.runPython("import os, sys; os.chdir('/'); sys.path.insert(0, '/')");
  try {
    mp.runPython(RUN(path.basename(file, ".py")));
  } catch (error) {
    heard(`FAILED ${file}: ${error.message}`);
  }
  if (passed + failed === before) heard(`FAILED ${file}: no test in it`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
