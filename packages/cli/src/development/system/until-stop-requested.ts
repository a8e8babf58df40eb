import { watchLaunchers } from './watch-launchers.ts';

export interface StopRequested {
  readonly signal: AbortSignal;
  readonly stopped: Promise<string>;
}

/** A second signal within this time is the same request: a launcher may forward a signal that the terminal sent to both. */
const sameRequestMs = 500;

/** Waits for Ctrl-C, a signal, or the end of the process that launched this one. A second request ends the process at once. */
export function untilStopRequested(): StopRequested {
  const controller = new AbortController();
  const stopped = new Promise<string>((resolve) => {
    let firstAt = 0;
    const requestStop = (reason: string) => {
      if (controller.signal.aborted) {
        if (performance.now() - firstAt > sameRequestMs) process.exit(130);
        return;
      }
      firstAt = performance.now();
      controller.abort(new Error(reason));
      resolve(reason);
    };
    process.on('SIGINT', () => requestStop('Ctrl-C'));
    process.on('SIGTERM', () => requestStop('SIGTERM'));
    process.on('SIGHUP', () => requestStop('the terminal closed'));
    watchLaunchers(() => requestStop('the process that launched corner ended'));
  });
  // The launcher may have held the other end of our output. A write error must not prevent the stop.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  return { signal: controller.signal, stopped };
}
