import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two looks: short, since somebody waits for it. */
const intervalMs = 20;
const silence = 'it does not answer';

/**
 * Waits until a process answers 200 at its readiness address. Rejects with what it last said when it ends before, or
 * when `withinMs` have passed.
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

/** One look: null when ready, else what was said instead. */
export async function look(address: string): Promise<string | null> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(10_000) });
    const text = await response.text();
    return response.ok ? null : text.slice(0, 500);
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'it does not answer in time' : silence;
  }
}
