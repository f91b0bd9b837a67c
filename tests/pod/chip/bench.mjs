// Statistics of pings: round trips, and the uncertainty of the pod's clock that follows from them.

/** Return statistics of the answered pings, in ms; `bound` is for all of them together. */
export function clockOf(pings) {
  const answered = pings.filter((ping) => ping.heardMs !== null);
  const bounds = answered.map(({ sentMs, heardMs, fields: [, readUs, , , answeredUs] }) => ({
    low: sentMs - readUs / 1e3 - 1e-3,
    high: heardMs - (answeredUs ?? readUs) / 1e3,
  }));
  const low = Math.max(...bounds.map((bound) => bound.low));
  const high = Math.min(...bounds.map((bound) => bound.high));
  const trips = answered.map(({ sentMs, heardMs }) => heardMs - sentMs).sort((a, b) => a - b);
  return {
    answered: answered.length,
    bound: (high - low) / 2,
    offset: (high + low) / 2,
    least: trips[0],
    median: trips[trips.length >> 1],
    most: trips.at(-1),
  };
}
