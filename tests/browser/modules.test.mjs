// Tests of the page's modules under node: `node --experimental-default-type=module --test tests/browser/`

import assert from "node:assert/strict";
import { test } from "node:test";

import { keyOf } from "../../assets/phone/keyboard.js";
import { Events, Link } from "../../assets/phone/link.js";
import { Seal, bytes, hex, read, written } from "../../assets/phone/sentences.js";
import { Secrets } from "../../assets/phone/secrets.js";
import { hmac, sha256 } from "../../assets/phone/sha256.js";

// --- Computations, with values from standards and docs/pod-protocol.md ------------------------------------

test("SHA-256 matches FIPS 180-4 and handles full blocks", () => {
  assert.equal(hex(sha256(bytes("abc"))), "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD");
  assert.equal(hex(sha256(bytes(""))), "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855");
  const million = hex(sha256(bytes("a".repeat(1_000_000))));
  assert.equal(million, "CDC76E5C9914FB9281A1C7E284D73E67F1809A48A497200E046D39CCC7112CD0");
});

test("HMAC matches the examples of RFC 4231", () => {
  const jefe = hex(hmac(bytes("Jefe"), bytes("what do ya want for nothing?")));
  assert.equal(jefe, "5BDCC146BF60754E6A042426089575C75A003F089D2739839DEC58B964EC3843");
  const long = hmac(new Uint8Array(131).fill(0xaa), bytes("Test Using Larger Than Block-Size Key - Hash Key First"));
  assert.equal(hex(long), "60E431591EE0B67F0D8A26AACBF5B77F8E0BC6213728C5140546040F0EE37F54");
});

test("the protocol's example is reproduced", () => {
  assert.equal(written(null, "HEY", 1, "5B0C77E2"), "$TCHEY,1,5B0C77E2*3B263541\r\n");
  const { kind, fields } = read("$TCTXT,1,0,Your bid^2C Anna*4366A777\r\n");
  assert.deepEqual([kind, fields], ["TXT", ["1", "0", "Your bid, Anna"]]);
});

test("any text is parsed back, an altered sentence is not", () => {
  const text = "Bäcker^1,*$ « déjà »";
  const said = written(null, "TXT", 1, 0, text);
  assert.deepEqual(read(said).fields, ["1", "0", text]);
  for (let at = 0; at < said.length; at += 1) {
    assert.equal(read(said.slice(0, at) + (said[at] === "7" ? "8" : "7") + said.slice(at + 1)), null);
  }
  assert.throws(() => written(null, "TXT", 1, 0, "x".repeat(120)), RangeError);
});

// --- The conversation -------------------------------------------------------------------------------------

const KEY = new Uint8Array(32).fill(7);
const store = (text = null) => ({ text, load() { return this.text; }, save(saved) { this.text = saved; } });

/** Return a page's link and the table's end; `table(kind, ...)` sends a proved sentence. */
function talk(kept = store(), name = "") {
  const out = [];
  const shown = [];
  const desk = {
    pressed: () => 0, now_us: () => 5_000, proved() {}, joined() {}, clear() { shown.length = 0; },
    show: (line, text) => shown.push([line, text]), light: (state) => shown.push(state), set() {}, room: () => [700, 400], name: () => name,
  };
  const events = new Events(kept, 1_000, "0A0B0C0D");
  const link = new Link({
    identity: "E6", key: KEY, events, grain_us: 100, desk, say: (text) => out.push(read(text)),
    draw: () => new Uint8Array(8).fill(1), later: (answer) => answer(0),
  });
  const hear = (text) => link.receive(text, 0);
  hear(written(null, "HEY", 1, "5B0C77E2"));
  hear(written(null, "PRV", "A".repeat(16)));
  const proofs = out.filter(({ kind }) => kind === "PRF");
  // The table's seal swaps the page's two directions.
  const seal = new Seal(KEY, "A".repeat(16), proofs[0].fields[1]);
  [seal._ours, seal._theirs] = [seal._theirs, seal._ours];
  return { link, events, out, shown, hear, table: (...said) => hear(written(seal, ...said)), seal };
}

const said = (out, kind) => out.filter((one) => one.kind === kind).map(({ fields }) => fields);

test("page introduces and proves itself before answering pings", () => {
  const { out, table } = talk();
  table("PNG", 3);
  assert.deepEqual(out.map(({ kind }) => kind), ["HEL", "PRF", "GRN", "PIX", "PON"]);
  assert.deepEqual(said(out, "HEL")[0].slice(3), ["BKLTWQP", "0A0B0C0D", "1", "5B0C77E2"]);
  assert.deepEqual(said(out, "PIX"), [["700", "400"]]);
  assert.deepEqual(said(out, "PON"), [["3", "5000", "0", "0", "5000"]]);
});

test("name is sent in parts when connecting and typing", () => {
  const long = "\u{1F600}".repeat(8);
  const { out, link } = talk(store(), long);
  const parts = said(out, "NAM");
  assert.deepEqual(parts.map(([more]) => more), ["1", "0"]);
  assert.equal(parts.map(([, part]) => part).join(""), long);
  link.name("Zoe");
  assert.deepEqual(said(out, "NAM").slice(2), [["0", "Zoe"]]);
});

test("unproved and repeated sentences are ignored", () => {
  const { hear, shown, table, seal } = talk();
  hear(written(null, "LMP", 1, 2));
  assert.deepEqual(shown, []);
  table("LMP", 1, 2);
  const again = written(seal, "LMP", 2, 0);
  hear(again);
  hear(again);
  assert.deepEqual(shown, [2, 0]);
});

test("events are resent until acknowledged, even after reloads", () => {
  const kept = store();
  const { link, events, out, table } = talk(kept);
  events.add("KEY", 10, "4");
  events.add("KEY", 20, "2");
  link.poll(0);
  assert.deepEqual(said(out, "KEY"), [["1", "10", "4"], ["2", "20", "2"]]);
  table("ACK", 1);
  link.poll(99);
  assert.equal(said(out, "KEY").length, 2);
  link.poll(100);
  assert.deepEqual(said(out, "KEY")[2], ["2", "20", "2"]);
  const reloaded = talk(kept);
  reloaded.link.poll(0);
  assert.deepEqual(said(reloaded.out, "HEL")[0].slice(4, 6), ["0A0B0C0D", "2"]);
  assert.deepEqual(said(reloaded.out, "KEY"), [["2", "20", "2"]]);
});

test("outdated storage starts a new session without loss", () => {
  const { events, out, link, table } = talk();
  events.add("KEY", 10, "4");
  table("ACK", 7); // another tab with the same storage has sent more
  const [, again] = said(out, "HEL");
  assert.notEqual(again[4], "0A0B0C0D");
  assert.match(again[4], /^[0-9A-F]{8}$/);
  assert.equal(again[5], "1");
  link.poll(200);
  assert.deepEqual(said(out, "KEY").at(-1), ["1", "10", "4"]);
});

test("events without room are counted", () => {
  const { link, events, out, table } = talk();
  for (let n = 0; n < 70; n += 1) events.add("KEY", n, String(n % 10));
  for (let n = 8; n <= 64; n += 8) {
    link.poll(0);
    table("ACK", n);
  }
  events.add("KEY", 99, "5");
  link.poll(0);
  assert.equal(said(out, "LST").reduce((sum, [, , count]) => sum + Number(count), 0), 7);
  assert.equal(said(out, "KEY").length, 64);
});

test("texts are accepted once and in order", () => {
  const { out, shown, table } = talk();
  table("TXT", 2, 1, "too early");
  table("TXT", 1, 0, "Anna");
  table("TXT", 1, 0, "Anna");
  assert.deepEqual(shown, [[0, "Anna"]]);
  assert.deepEqual(said(out, "ACK"), [["0"], ["1"], ["1"]]);
});

test("table code seats phones without a valid seat", () => {
  const kept = shelf();
  const first = new Secrets(kept, "abcd-efgh-jklm");
  assert.equal(new TextDecoder().decode(first.current()), "ABCDEFGHJKLM");
  first.joined("drawn");
  first.current();
  first.proved();
  const own = hex(first.current());
  const again = new Secrets(kept, "NPQRSTUVWXYZ");
  assert.equal(hex(again.current()), own, "it sits already");
  assert.equal(again.refused(), true, "its seat was given free");
  assert.equal(new TextDecoder().decode(again.current()), "NPQRSTUVWXYZ");
  const third = new Secrets(kept, "");
  assert.equal(third.current().length, 12);
});

test("letters of the house's code take the place of a seat", () => {
  const kept = shelf();
  new Secrets(kept, TOKEN).current();
  const house = new Secrets(kept, "ABCDEFGHJKLM", true);
  assert.equal(new TextDecoder().decode(house.current()), "ABCDEFGHJKLM");
  house.joined("drawn");
  house.current();
  house.proved();
  const own = hex(house.current());
  assert.equal(hex(new Secrets(kept, "ABCDEFGHJKLM", true).current()), own, "the same address is the same house");
});

// --- A keyboard -------------------------------------------------------------------------------------------

test("key is read by character, otherwise by position", () => {
  const keys = (...pressed) => pressed.map(([key, code, shiftKey = false]) => keyOf({ key, code, shiftKey })).join("");
  assert.equal(keys(["3", "Digit3"], ["#", "Digit3", true], ["a", "KeyA"], ["Enter", "Enter"], ["Backspace", "Backspace"]), "3#A#*");
  assert.equal(keys(["\"", "Digit3"], ["3", "Digit3", true], ["é", "Digit2"], ["a", "KeyQ"], ["q", "KeyA"]), "332A", "AZERTY");
  assert.equal(keys(["ф", "KeyA"], ["в", "KeyD"], ["α", "KeyA"]), "ADA", "Cyrillic, Greek");
  assert.equal(keys(["!", "Digit1", true], ["e", "KeyD"], ["j", "KeyC"], ["F1", "F1"], ["Shift", "ShiftLeft"]), "", "nothing, and Dvorak");
});

// --- Ownership of a seat ----------------------------------------------------------------------------------

const TOKEN = "AAECAwQFBgcICQoLDA0ODw";

function shelf() {
  const kept = {};
  return { getItem: (name) => kept[name] ?? null, setItem: (name, text) => { kept[name] = text; } };
}

test("token becomes a secret and is then forgotten", () => {
  const kept = shelf();
  const first = new Secrets(kept, TOKEN);
  assert.equal(hex(first.current()), "000102030405060708090A0B0C0D0E0F");
  first.joined("drawn");
  const own = hex(hmac(hmac(Uint8Array.from({ length: 16 }, (_, n) => n), bytes("key")), bytes("nextdrawn")));
  assert.equal(hex(first.current()), own);
  first.proved();
  assert.ok(!kept.getItem("seat").includes(TOKEN));
  assert.equal(hex(new Secrets(kept, TOKEN).current()), own, "the same address is the same seat");
  assert.equal(hex(new Secrets(kept, "").current()), own);
  assert.equal(first.refused(), false);
});

test("token stays valid until its proof arrives", () => {
  const secrets = new Secrets(shelf(), TOKEN);
  secrets.current();
  secrets.joined("drawn");
  secrets.current();
  assert.equal(secrets.refused(), true);
  assert.equal(secrets.current().length, 16);
  assert.equal(secrets.refused(), false);
});

test("refused code does not displace a seated phone", () => {
  const kept = shelf();
  const first = new Secrets(kept, TOKEN);
  first.current();
  first.joined("drawn");
  first.current();
  first.proved();
  const own = hex(first.current());
  const other = new Secrets(kept, "B".repeat(22));
  assert.equal(other.current().length, 16);
  const again = new Secrets(kept, ""); // reloaded before an answer
  assert.equal(again.current().length, 16);
  assert.equal(again.refused(), true);
  assert.equal(hex(again.current()), own);
  assert.equal(again.refused(), false);
  assert.equal(hex(new Secrets(kept, TOKEN).current()), own);
});

test("accepted code becomes the phone's seat", () => {
  const kept = shelf();
  for (const token of [TOKEN, "B".repeat(22)]) {
    const secrets = new Secrets(kept, token);
    secrets.current();
    secrets.joined(token);
    secrets.current();
    secrets.proved();
  }
  assert.deepEqual(Object.keys(JSON.parse(kept.getItem("seat"))), ["own", "from"]);
});
