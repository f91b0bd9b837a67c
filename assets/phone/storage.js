// What the browser keeps for this page; where it refuses (cookies off, old private windows), the page's own memory.

/** Return a storage of the browser by its name, or one that `lasts` only until the page is loaded again. */
export function storage(name) {
  try {
    const kept = globalThis[name];
    kept.setItem("tried", "yes");
    kept.removeItem("tried");
    return { lasts: true, getItem: (key) => kept.getItem(key), setItem: (key, text) => kept.setItem(key, text) };
  } catch {
    const kept = new Map();
    return { lasts: false, getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
  }
}
