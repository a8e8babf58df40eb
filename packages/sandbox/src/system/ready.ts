import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two checks. */
const intervalMs = 20;
/** Milliseconds a process may take to be ready: where ten systems start at once, each has a tenth of the processor. */
const patienceMs = 300_000;
const silence = 'it does not answer';

/**
 * Waits until a process responds with 200 at its readiness address. Rejects with the error of `gone` when the process ends, and with
 * the last response when `withinMs` have passed.
 */
export async function waitUntilReady(address: string, gone: Promise<Error>, withinMs = patienceMs): Promise<void> {
  let ended: Error | null = null;
  void gone.then((error) => {
    ended = error;
  });
  let last = silence;
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await pause(intervalMs)) {
    if (ended !== null) throw ended;
    const answer = await look(address);
    if (answer === null) return;
    last = answer;
  }
  throw new Error(`not ready within ${withinMs / 1000} s: ${last}`);
}

/** Checks once. Returns null when ready, else the response or what went wrong. */
async function look(address: string): Promise<string | null> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(10_000) });
    const text = await response.text();
    return response.ok ? null : text.slice(0, 500);
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'it does not answer in time' : silence;
  }
}
