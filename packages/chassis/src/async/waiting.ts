/** Milliseconds to wait after `faults` faults in a row (0 for the first): 50 doubling to 5,000, or to `most`, with full jitter. */
export const backoffMs = (faults: number, most = 5_000): number => Math.ceil(Math.random() * Math.min(most, 50 * 2 ** Math.min(faults, 7)));

/** Returns what `reading` resolves to, or `late` after 2 s: the caller, such as a probe, waits little longer than that. */
export async function inTime<T>(reading: Promise<T>, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), 2_000);
  });
  return await Promise.race([reading, timeout]).finally(() => clearTimeout(timer));
}
