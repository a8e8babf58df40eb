/** Milliseconds to wait after `faults` faults in a row (0 for the first): 50 doubling to 5,000, with full jitter. */
export const backoffMs = (faults: number): number => Math.ceil(Math.random() * Math.min(5_000, 50 * 2 ** Math.min(faults, 7)));
