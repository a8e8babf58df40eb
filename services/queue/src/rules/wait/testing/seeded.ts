/** Returns a whole number from 0 up to, and without, `below`. */
export type Random = (below: number) => number;

/** Returns a small random generator (mulberry32). The same seed gives the same numbers, so a failing case can be repeated. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
