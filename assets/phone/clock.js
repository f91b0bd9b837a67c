// The page's clock: how coarse it is, and when something was touched by it.

const CHANGES = 40;
const LONGEST_MS = 120;
const WHOLE_US = 1000;
const OLDEST_MS = 5000;

let found_us = 0;
let whole = 0; // stamps in a row without a part of a millisecond

/** Return by how many microseconds at most the clock's reading differs from the truth.
 *
 * A browser rounds its clock to steps, or draws to which of two neighbours: the least difference that is seen is one
 * step. It is measured once.
 */
export function grain() {
  if (found_us) return found_us;
  let least_ms = LONGEST_MS;
  let last_ms = performance.now();
  const end_ms = last_ms + LONGEST_MS;
  for (let changes = 0; changes < CHANGES && last_ms < end_ms;) {
    const now_ms = performance.now();
    if (now_ms === last_ms) continue;
    least_ms = Math.min(least_ms, now_ms - last_ms);
    last_ms = now_ms;
    changes += 1;
  }
  found_us = Math.max(1, Math.ceil(least_ms * 1000 - 0.01));
  return found_us;
}

/** Return when an event happened, in milliseconds of performance.now().
 *
 * `coarser` is told how coarse the stamps of events are where that is more than the clock itself: whole milliseconds.
 */
export function stamp({ timeStamp }, coarser = () => {}) {
  const now_ms = performance.now();
  if (!(timeStamp <= now_ms + 1 && timeStamp > now_ms - OLDEST_MS)) return now_ms; // another base: it counts as it came
  whole = Number.isInteger(timeStamp) ? whole + 1 : 0;
  if (whole > 1 && found_us < WHOLE_US) {
    found_us = WHOLE_US;
    coarser(found_us);
  }
  return Math.min(timeStamp, now_ms);
}
