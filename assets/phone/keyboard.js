// A keyboard at the page: which key of a pod is meant, whatever its layout.

const KEYS = "0123456789*#ABCD";
const NAMED = { Enter: "#", Backspace: "*" };

/** Return the key of the pod for one of a keyboard; "" for none.
 *
 * What is written on the key counts. Where that is none of ours, its place does: digits that need Shift (AZERTY), and
 * A to D of letters that are not Latin.
 */
export function keyOf({ key, code, shiftKey }) {
  const letter = NAMED[key] ?? key.toUpperCase();
  if (letter.length === 1 && KEYS.includes(letter)) return letter;
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(code);
  if (digit) return shiftKey ? "" : digit[1];
  return /^[a-z]$/i.test(key) ? "" : /^Key([A-D])$/.exec(code)?.[1] ?? "";
}
