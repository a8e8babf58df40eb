import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two checks. */
const intervalMs = 20;
const silence = 'it does not answer';

/**
 * Waits until a process responds with 200 at its readiness address. Rejects with its last response when the process ends or
 * `withinMs` have passed.
 */
export async function waitUntilReady(address: string, gone: Promise<string>, withinMs = 60_000): Promise<void> {
  let ended: string | null = null;
  void gone.then((how) => {
    ended = how;
  });
  let last = silence;
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await pause(intervalMs)) {
    if (ended !== null) throw new Error(ended);
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
