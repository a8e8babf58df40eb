import { watchLaunchers } from './watch-launchers.ts';

export interface StopRequested {
  /** Aborted at the first telling. */
  readonly signal: AbortSignal;
  /** Resolves with who told us. */
  readonly stopped: Promise<string>;
}

/** Milliseconds within which a repeat is the same telling: a launcher may pass on what the terminal sent to both. */
const sameTellingMs = 500;

/** Listens for Ctrl-C, a signal, or the death of what launched us. A second telling ends the process at once. */
export function untilStopRequested(): StopRequested {
  const controller = new AbortController();
  const stopped = new Promise<string>((resolve) => {
    let first = 0;
    const publish = (why: string) => {
      if (controller.signal.aborted) {
        if (performance.now() - first > sameTellingMs) process.exit(130);
        return;
      }
      first = performance.now();
      controller.abort(new Error(why));
      resolve(why);
    };
    process.on('SIGINT', () => publish('Ctrl-C'));
    process.on('SIGTERM', () => publish('SIGTERM'));
    process.on('SIGHUP', () => publish('the terminal closed'));
    watchLaunchers(() => publish('the process that launched corner is gone'));
  });
  // With the launcher the other end of our output may be gone too; that must not keep us from stopping what we started.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  return { signal: controller.signal, stopped };
}
