import { setTimeout as pause } from 'node:timers/promises';
import { describeExit } from './child.ts';
import type { ServerHandle } from './server-handle.ts';
import type { ServiceProcess } from './service-process.ts';
import type { Parts } from './start-parts.ts';

const waits = [200, 500, 1_000, 2_000, 5_000];
/** Milliseconds: after a healthy run the next restart waits the first value again. */
const healthyMs = 30_000;

interface Keeping {
  readonly say: (line: string) => void;
  readonly stopped: AbortSignal;
  readonly restarted: () => void;
}

export function keepAllRunning(
  { replicas, messages, payments, console, shop, postgres, nats }: Parts,
  { say, stopped, restarted }: Keeping,
): void {
  const processes = [...Object.values(replicas).flat(), messages, ...[payments, console, shop].flatMap((one) => one ?? [])];
  for (const process of processes) void keepRunning(process, say, stopped, restarted);
  for (const server of [postgres, nats]) void keepRunning(server, say, stopped);
  void endWhenUseless(nats, say, stopped);
}

export async function keepRunning(
  kept: ServiceProcess | ServerHandle,
  say: (line: string) => void,
  stopped: AbortSignal,
  back = () => {},
): Promise<void> {
  const isOver = () => stopped.aborted || ('wanted' in kept ? !kept.wanted : kept.stopping);
  for (let faults = 0; !stopped.aborted; ) {
    const began = performance.now();
    const exit = await kept.exited;
    if (isOver()) return;
    if (performance.now() - began > healthyMs) faults = 0;
    const waitMs = waits[Math.min(faults++, waits.length - 1)] ?? 0;
    const ended = typeof exit === 'string' ? `${kept.name}: ${exit}` : `${kept.name} ${describeExit(exit)}`;
    say(`${ended}: starting it again in ${waitMs / 1000} s${'logFile' in kept ? ` (log: ${kept.logFile})` : ''}`);
    await pause(waitMs, undefined, { signal: stopped }).catch(() => {});
    if (isOver()) return;
    await kept.restart().then(
      () => {
        back();
        say(`${kept.name} is ready again`);
      },
      (error: Error) => say(`${kept.name} does not come back: ${error.message.split('\n')[0]}`),
    );
  }
}

/** Milliseconds between two checks of a server, and how many in a row must fail: a busy server also replies late. */
const lookMs = 5_000;
const looks = 3;

/** Kills a server that no longer works, as NATS after its disk was full; {@link keepRunning} then starts it again. */
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
