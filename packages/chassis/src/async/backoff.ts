/** Milliseconds to wait after `faults` faults in a row (0 for the first): 50 doubling to 5,000, or to `most`, with full jitter. */
export const backoffMs = (faults: number, most = 5_000): number => Math.ceil(Math.random() * Math.min(most, 50 * 2 ** Math.min(faults, 7)));
