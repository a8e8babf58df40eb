/** Returns a whole number from `least` to `most`, both included. */
export type Draw = (least: number, most: number) => number;

/** Yields random number generators with fixed seeds: every run draws the same numbers. */
export function* randomly(times: number): Generator<Draw> {
  for (let seed = 1; seed <= times; seed += 1) {
    let state = Math.imul(seed, 0x9e37_79b1);
    yield (least, most) => {
      state = (state + 0x6d2b_79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return least + Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (most - least + 1));
    };
  }
}
