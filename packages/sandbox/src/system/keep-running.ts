import { setTimeout as pause } from 'node:timers/promises';
import { exitInWords } from './child.ts';
import type { ServerHandle } from './server-handle.ts';
import type { ServiceProcess } from './service-process.ts';

/** Milliseconds before the first, second, … new try; the last one holds from then on. */
const waits = [200, 500, 1_000, 2_000, 5_000];
/** A life of this length counts as healthy: the next fault starts again at the first wait. */
const healthyMs = 30_000;

/** Starts a process again whenever it ends without having been asked to, until `stopped`. Says so each time, and tells when it is `back`. */
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
    say(`${service.name} ${exitInWords(exit)}: starting it again in ${waitMs / 1000} s (log: ${service.logFile})`);
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

/** The same for a server beneath the services: it comes back on its port and data, and they find it again by themselves. */
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
