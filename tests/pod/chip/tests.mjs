// Tests the firmware on the chip. Each test has separate pods; times are those of the emulation.

import assert from "node:assert/strict";
import { clockOf } from "./bench.mjs";
import { Host, copyOnto } from "./host.mjs";

const VERSION = 1;
const KEYS = "123A456B789C*0#D";
const BEAT_MS = 8.125; // a host's interval in a race
const ANSWER_MS = 40; // no contact may delay an answer longer

function greeted(pod, options) {
  const made = pod(options);
  made.hello = made.host.greet(VERSION, "5B0C77E2", options?.key);
  made.board.run(made.board.ms + 200); // "No table" has left the screen
  return made;
}

/** Return a line of the OLED as the dots of its 16 characters. */
function cells(board, line) {
  const rows = board.picture().slice(16 * line, 16 + 16 * line);
  return Array.from({ length: 16 }, (_, at) => rows.map((row) => row.slice(8 * at, 8 * at + 8)).join("\n"));
}

const isBlank = (cell) => !cell.includes("#");

function pingsOneByOne(host, count) {
  const first = host.pings.length;
  for (let number = 0; number < count; number++) {
    host.board.run(host.board.ms + 20 + 0.31 * number); // at all phases of the firmware's loop
    host.ping();
    const ping = host.pings.at(-1);
    host.board.run(ping.sentMs + 200, () => ping.heardMs !== null);
  }
  return host.pings.slice(first);
}

function told(figures) {
  const { bound, least, median, most } = figures;
  return `bound ±${bound.toFixed(2)} ms; answered after ${[least, median, most].map((ms) => ms.toFixed(1)).join(", ")} ms`;
}

export function test_pod_shows_text_and_lamp_while_connected(pod) {
  const { board, host, hello } = greeted(pod);
  assert.match(hello.join(), /^HEL,1,[0-9A-F]{16},[0-9.]+,BKLTQ,[0-9A-F]{8},1,5B0C77E2$/);
  host.tell("TXT", 0, "AB, A");
  host.tell("TXT", 1, "Böse");
  board.run(board.ms + 200);
  const [A, B, comma, space, again, ...rest] = cells(board, 0);
  assert.equal(A, again);
  assert.ok(!isBlank(A) && !isBlank(B) && A !== B && !isBlank(comma) && isBlank(space) && rest.every(isBlank));
  const second = cells(board, 1);
  host.tell("TXT", 1, "Bose");
  board.run(board.ms + 200);
  assert.deepEqual(cells(board, 1), second, "an OLED has no umlauts");
  host.tell("LMP", 1);
  board.run(board.ms + 50);
  assert.equal(board.lamp, true);
  host.tell("LMP", 2);
  const lit = new Set();
  for (let at = 0; at < 12; at++) {
    board.run(board.ms + 50);
    lit.add(board.lamp);
  }
  assert.equal(lit.size, 2, "it blinks");
  board.run(board.ms + 3300);
  assert.equal(board.lamp, false);
  assert.ok(!isBlank(cells(board, 0)[8 - 1]), '"No table" is as long');
  host.ping();
  board.run(board.ms + 300);
  assert.equal(cells(board, 0)[0], A);
}

export function test_each_key_is_reported_once(pod) {
  const { board, host } = greeted(pod);
  for (let place = 0; place < 16; place++) {
    board.key(place, true);
    board.run(board.ms + 30);
    board.key(place, false);
    board.run(board.ms + 40);
  }
  assert.equal(host.events.map(([, , , key]) => key).join(""), KEYS);
}

export function test_press_timestamp_stays_within_its_uncertainty(pod) {
  const { board, host } = greeted(pod);
  const clock = clockOf(pingsOneByOne(host, 30));
  console.log(`  unpaired: ${told(clock)}`);
  assert.ok(clock.bound < 0.5, told(clock));
  const truths = [];
  for (let number = 0; number < 10; number++) {
    for (const closed of [true, false]) {
      board.run(board.ms + 41.37);
      board.buzz(closed);
      truths.push(board.ms);
    }
  }
  board.run(board.ms + 100);
  const errors = host.buzzes().map(([us], at) => us / 1e3 + clock.offset - truths[at]);
  assert.equal(errors.length, truths.length);
  const spread = Math.max(...errors) - Math.min(...errors);
  assert.ok(spread < 0.05, `the stamps are up to ${spread} ms apart`);
  assert.ok(errors.every((error) => Math.abs(error) <= clock.bound + 0.05), `${errors}`);
}

export function test_paired_pod_keeps_its_uncertainty_below_one_millisecond(pod, key) {
  const { host, hello } = greeted(pod, { key });
  assert.equal(hello[4], "BKLTQP");
  const clock = clockOf(pingsOneByOne(host, 20));
  console.log(`  paired: ${told(clock)}`);
  assert.ok(clock.answered === 20 && clock.bound < 1, told(clock));
}

export function test_race_pings_do_not_queue(pod) {
  const { board, host } = greeted(pod);
  board.buzz(true);
  board.run(board.ms + 30, () => host.buzzes().length);
  const burst = clockOf(host.burst(8, BEAT_MS));
  console.log(`  burst: ${told(burst)}`);
  assert.ok(burst.answered === 8 && burst.median < 6, told(burst));
}

export function test_chattering_contact_does_not_silence_the_pod(pod) {
  const { board, host } = greeted(pod);
  for (const [kilohertz, ms] of [[10, 2200], [1, 250], [3, 250], [40, 150]]) {
    const from = board.ms + 10;
    const pings = host.pings.length;
    let closed = false;
    for (let at = 0; at < ms; at += 0.5 / kilohertz)
      board.at(from + at, () => board.buzz((closed = !closed)));
    board.at(from + ms, () => board.buzz(false));
    for (let at = 5; at < ms; at += 40) board.at(from + at, () => host.ping());
    board.run(from + ms + 100);
    const figures = clockOf(host.pings.slice(pings));
    console.log(`  ${kilohertz} kHz for ${ms} ms: ${told(figures)}`);
    assert.equal(figures.answered, host.pings.length - pings);
    assert.ok(figures.most < ANSWER_MS, told(figures));
    const before = host.buzzes().length;
    board.buzz(true);
    const pressedMs = board.ms;
    board.run(board.ms + 60);
    board.buzz(false);
    board.run(board.ms + 60);
    const [press, release] = host.buzzes().slice(before);
    assert.deepEqual([press[1], release[1]], [1, 0]);
    assert.ok(Math.abs(release[0] - press[0] - 60_000) < 100, "the press after it has its own stamp");
    assert.ok(Math.abs(press[0] / 1e3 + figures.offset - pressedMs) <= figures.bound + 0.05);
  }
  assert.equal(board.resets, 0);
}

export function test_garbage_and_control_characters_are_harmless(pod) {
  const { board, host } = greeted(pod);
  let state = 1;
  for (let round = 0; round < 12; round++) {
    let noise = "";
    for (let at = 0; at < 100; at++) {
      state = (state * 1103515245 + 12345) % 2147483648;
      noise += String.fromCharCode((state >> 8) & 0xff);
    }
    board.send(`${noise}\x03\x03\x04\x01$TCBAD*00\r\n$TCPNG,`);
    board.run(board.ms + 60);
  }
  const [ping] = pingsOneByOne(host, 1);
  assert.ok(ping.heardMs !== null);
  assert.equal(board.resets, 0);
  assert.equal(host.events.length, 0);
}

export function test_upd_opens_prompt_and_next_start_is_new(pod) {
  const { board, host, hello } = greeted(pod);
  let said = "";
  const hear = board.heard;
  board.heard = (text) => (said += text);
  host.say("UPD");
  board.run(board.ms + 3000, () => board.resets === 1 && board.connected);
  board.run(board.ms + 100);
  board.send("\r");
  assert.ok(board.run(board.ms + 1000, () => said.includes(">>> ")), said);
  board.heard = hear;
  board.send("import machine; machine.reset()\r");
  board.run(board.ms + 3000, () => board.resets === 2 && board.connected);
  const anew = host.greet(VERSION, "00000002");
  assert.equal(anew[2], hello[2], "the same pod");
  assert.notEqual(anew[5], hello[5], "another life");
}

/** Put files onto a pod by its wire alone, as `companion pod flash` does. */
function update(board, host, files) {
  const resets = board.resets;
  host.say("UPD");
  board.run(board.ms + 5000, () => board.resets === resets + 1 && board.connected);
  board.run(board.ms + 500); // mpremote starts
  copyOnto(board, files);
  board.send("import machine; machine.reset()\x04");
  board.run(board.ms + 5000, () => board.resets === resets + 2 && board.connected);
  return new Host(board);
}

export function test_update_mends_pod_that_crashed_three_times(pod, _key, files) {
  const { board, host } = pod();
  const healthy = String(files["pod.py"]);
  const crashing = healthy.replace("        self._port.flush()\n", "        self._port.flush()\n        now_us > 200000 and planted\n");
  assert.notEqual(crashing, healthy);
  const rescuer = update(board, host, { "pod.py": crashing });
  board.run(board.ms + 12_000, () => board.resets === 5 && board.connected);
  let [before, flashes] = [board.lamp, 0];
  for (const endMs = board.ms + 3000; board.ms < endMs; before = board.lamp) {
    board.run(board.ms + 50);
    flashes += board.lamp && !before;
  }
  assert.equal(board.resets, 5, "it crashes no more");
  assert.equal(flashes, 6, "three flashes each 1.5 s");
  assert.deepEqual(rescuer.ask("HEL", "HEY", VERSION, "5B0C77E2").slice(0, 2), ["HEL", "0"]);
  const mended = update(board, rescuer, { "pod.py": healthy });
  mended.greet(VERSION);
  board.run(board.ms + 3000);
  assert.equal(pingsOneByOne(mended, 1)[0].heardMs === null, false);
  assert.equal(board.resets, 7);
}

export function test_missing_screen_and_unknown_version_are_answered(pod) {
  const { board, host } = pod({ oled: false });
  const answer = host.ask("HEL", "HEY", 2, "5B0C77E2");
  assert.deepEqual([answer[1], answer[4]], ["1", "BKL"]);
  assert.equal(host.greet(VERSION)[7], "5B0C77E2");
  board.run(board.ms + 1500); // the pod looks for its screen once a second
  assert.equal(pingsOneByOne(host, 3).filter((ping) => ping.heardMs !== null).length, 3);
}
