/** Returns what `reading` resolves to, or `late` after 2 s: the caller, such as a probe, waits little longer than that. */
export async function inTime<T>(reading: Promise<T>, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), 2_000);
  });
  return await Promise.race([reading, timeout]).finally(() => clearTimeout(timer));
}
