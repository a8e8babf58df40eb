import { pause } from '../async/clock.ts';
import { backoffMs } from '../async/waiting.ts';
import type { Log } from '../telemetry/log.ts';
import type { KeyedRequest } from './idempotency.ts';

type Settlement = () => Promise<boolean>;

export interface OwnClaims extends AsyncDisposable {
  run<T>(request: KeyedRequest, work: () => Promise<T>): Promise<T>;
  runs(request: KeyedRequest): boolean;
  /**
   * Settles a claim once the database replies again: a claim that stays would refuse every repeat while its process lives. A settlement
   * returns false when it has to be retried.
   */
  settleLater(settlement: Settlement): void;
}

export function keepOwnClaims(log: Log): OwnClaims {
  const running = new Map<string, number>();
  const unsettled: Settlement[] = [];
  const stop = new AbortController();
  let settling: Promise<void> | null = null;

  async function settleAll(): Promise<void> {
    for (let faults = 0; unsettled.length > 0 && !stop.signal.aborted; ) {
      if (faults > 0) await pause(backoffMs(faults), stop.signal);
      const settlement = unsettled.shift();
      const settled = await settlement?.().catch((error: unknown) => {
        if (faults === 0) log.warn({ err: error }, 'the claim of an Idempotency-Key could not be settled: trying again');
        return false;
      });
      faults = settled ? 0 : faults + 1;
      if (settlement && !settled) unsettled.push(settlement);
    }
    settling = null;
  }

  return {
    async run(request, work) {
      const name = nameOf(request);
      running.set(name, (running.get(name) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const others = (running.get(name) ?? 1) - 1;
        if (others > 0) running.set(name, others);
        else running.delete(name);
      }
    },
    runs: (request) => running.has(nameOf(request)),
    settleLater(settlement) {
      unsettled.push(settlement);
      settling ??= settleAll();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await settling;
    },
  };
}

const nameOf = ({ principal, operation, key }: KeyedRequest): string => JSON.stringify([principal, operation, key]);
