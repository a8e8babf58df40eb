/** Milliseconds to wait after the n-th fault in a row: 50 doubling to 5,000, with full jitter. */
export const backoffMs = (faults: number): number => Math.ceil(Math.random() * Math.min(5_000, 50 * 2 ** Math.min(faults, 7)));
