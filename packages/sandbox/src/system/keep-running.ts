import { setTimeout as pause } from 'node:timers/promises';
import { describeExit } from './child.ts';
import type { ServerHandle } from './server-handle.ts';
import type { ServiceProcess } from './service-process.ts';

/** Milliseconds before the first, second, … restart; the last value is used from then on. */
const waits = [200, 500, 1_000, 2_000, 5_000];
/** Milliseconds after which a run counts as healthy: the next restart waits the first value again. */
const healthyMs = 30_000;

/**
 * Restarts a process whenever it ends without having been stopped, until `stopped`. Logs each restart, and calls `back` when the
 * process is ready.
 */
export async function keepRunning(
  service: ServiceProcess,
  say: (line: string) => void,
  stopped: AbortSignal,
  back: () => void = () => {},
): Promise<void> {
  for (let faults = 0; !stopped.aborted; ) {
    const began = performance.now();
    const exit = await service.exited;
    if (stopped.aborted || service.stopping) return;
    if (performance.now() - began > healthyMs) faults = 0;
    const waitMs = waits[Math.min(faults++, waits.length - 1)] ?? 0;
    say(`${service.name} ${describeExit(exit)}: starting it again in ${waitMs / 1000} s (log: ${service.logFile})`);
    await pause(waitMs, undefined, { signal: stopped }).catch(() => {});
    if (stopped.aborted || service.stopping) return;
    await service.restart().then(
      () => {
        back();
        say(`${service.name} is ready again`);
      },
      (error: Error) => say(`${service.name} does not come back: ${error.message.split('\n')[0]}`),
    );
  }
}

/** The same for Postgres or NATS. It restarts on its port and data, and the services reconnect by themselves. */
export async function keepServerRunning(server: ServerHandle, say: (line: string) => void, stopped: AbortSignal): Promise<void> {
  for (let faults = 0; !stopped.aborted; ) {
    const how = await server.exited;
    if (stopped.aborted || !server.wanted) return;
    const waitMs = waits[Math.min(faults++, waits.length - 1)] ?? 0;
    say(`${server.name}: ${how}: starting it again in ${waitMs / 1000} s`);
    await pause(waitMs, undefined, { signal: stopped }).catch(() => {});
    if (stopped.aborted || !server.wanted) return;
    await server.restart().then(
      () => say(`${server.name} is ready again`),
      (error: Error) => say(`${server.name} does not come back: ${error.message.split('\n')[0]}`),
    );
  }
}

/** Milliseconds between two looks at a server, and how many in a row must find that it needs a restart: a busy one answers late as well. */
const lookMs = 5_000;
const looks = 3;

/** Kills a server that runs and does nothing any more, as NATS after its disk was full; {@link keepServerRunning} then starts it again. */
export async function endWhenUseless(
  server: ServerHandle,
  say: (line: string) => void,
  stopped: AbortSignal,
  everyMs: number = lookMs,
): Promise<void> {
  for (let useless = 0; !stopped.aborted; ) {
    await pause(everyMs, undefined, { signal: stopped }).catch(() => {});
    useless = (await server.needsRestart().catch(() => false)) ? useless + 1 : 0;
    if (useless < looks || stopped.aborted || !server.wanted) continue;
    useless = 0;
    say(`${server.name} stores nothing since its disk was full, which has room again: restarting it`);
    server.kill();
  }
}
