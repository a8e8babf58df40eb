import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@corner/contracts';
import pg from 'pg';
import { backoffMs } from '../async/backoff.ts';
import { createSignal, type Signal } from '../async/signal.ts';
import type { Broker } from '../broker/broker.ts';
import { crashPoint } from '../errors/crash-point.ts';
import type { Log } from '../telemetry/log.ts';
import { type Published, publishInOrder } from './publish-in-order.ts';
import { ackBatch, type Batch, lead, oldestUnackedBatch, pagesOf, type Reading, takeBatch } from './relay-batches.ts';
import { rewindToWhatTheBrokerHolds } from './relay-rewind.ts';

/** Carries a service's outbox to its stream. Any number of replicas run one; one of them leads. */
export interface Relay extends AsyncDisposable {
  /** Something was told: read now rather than at the next poll. */
  wake(): void;
  readonly state: RelayState;
}

export interface RelayState {
  leading: boolean;
  published: number;
  /** Times events were published again because the broker no longer had them. */
  rewinds: number;
  lastError: string | null;
}

export interface RelayOptions {
  readonly service: ServiceName;
  readonly databaseUrl: string;
  readonly broker: Broker;
  readonly log: Log;
  /** Milliseconds between looks when nobody nudges. A lost nudge costs this much, never an event. */
  readonly pollMs?: number;
  /** Milliseconds between checks that the broker still holds what it acknowledged. */
  readonly checkMs?: number;
}

/** Starts the relay. It ends only by disposal: every fault is waited out with backoff. */
export function startRelay(options: RelayOptions): Relay {
  const stop = new AbortController();
  const signal = createSignal();
  const state: RelayState = { leading: false, published: 0, rewinds: 0, lastError: null };
  const running = keepLeading(options, stop.signal, signal, state);
  return {
    wake: signal.raise,
    state,
    async [Symbol.asyncDispose]() {
      stop.abort();
      signal.raise();
      await running;
    },
  };
}

async function keepLeading(options: RelayOptions, stopped: AbortSignal, signal: Signal, state: RelayState): Promise<void> {
  for (let faults = 0; !stopped.aborted; ) {
    const client = new pg.Client({ connectionString: options.databaseUrl, application_name: `${options.service} relay`, keepAlive: true });
    client.on('error', () => {}); // The next statement fails and says so.
    try {
      await client.connect();
      if (await becomeLeader(client, options.service, stopped, signal)) {
        state.leading = true;
        await relayWhileLeading(client, options, stopped, signal, state, () => {
          faults = 0;
        });
      }
    } catch (error) {
      state.lastError = error instanceof Error ? error.message : String(error);
      options.log.warn({ err: error }, 'the relay pauses: events wait in the outbox');
      await pause(backoffMs(faults++), undefined, { signal: stopped }).catch(() => {});
    } finally {
      state.leading = false;
      await client.end().catch(() => {});
    }
  }
}

/**
 * Leadership is a session lock: it goes when the connection goes, whatever happened to the process. While another replica
 * leads, a nudge here is passed on to it, outside any transaction: NOTIFY inside one would queue all commits behind a lock.
 */
async function becomeLeader(client: pg.Client, service: string, stopped: AbortSignal, signal: Signal): Promise<boolean> {
  while (!stopped.aborted) {
    const rung = signal.arm();
    const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as ours', [
      `corner relay ${service}`,
    ]);
    if (rows[0]?.ours) {
      client.on('notification', signal.raise);
      await client.query(`listen ${channel(service)}`);
      return true;
    }
    if (await rung(250)) await client.query(`notify ${channel(service)}`);
  }
  return false;
}

const channel = (service: string): string => `corner_outbox_${service}`;

async function relayWhileLeading(
  client: pg.Client,
  options: RelayOptions,
  stopped: AbortSignal,
  signal: Signal,
  state: RelayState,
  healthy: () => void,
): Promise<void> {
  const reading = await lead(client);
  let checkedAt = 0;
  while (!stopped.aborted) {
    const sinceCheck = performance.now() - checkedAt;
    if (checkedAt === 0 || sinceCheck > (options.checkMs ?? 2_000)) {
      state.rewinds += await rewindToWhatTheBrokerHolds(client, options.broker, options.service, options.log);
      checkedAt = performance.now();
      for (let batch = await oldestUnackedBatch(client); batch && !stopped.aborted; batch = await oldestUnackedBatch(client)) {
        await publishBatch(client, options, batch, state);
      }
      healthy();
    }
    const rung = signal.arm();
    const batch = await nextBatch(client, reading);
    if (batch) {
      await publishBatch(client, options, batch, state);
      healthy();
    }
    // A look takes all there is, so the next one waits for the bell.
    await rung(options.pollMs ?? 100);
  }
}

async function nextBatch(client: pg.Client, reading: Reading): Promise<Batch | null> {
  const batch = await takeBatch(client, reading);
  if (batch) crashPoint('relay.after-batch');
  return batch;
}

/** Publishes a tick in order and notes the acknowledgement. A fault leaves it un-acked: it is published again, under the same ids. */
async function publishBatch(client: pg.Client, { broker, service }: RelayOptions, batch: Batch, state: RelayState): Promise<void> {
  let last: Published | null = null;
  for await (const page of pagesOf(client, batch)) {
    last = (await publishInOrder(broker, service, page, batch.republished)) ?? last;
    crashPoint('relay.mid-batch');
  }
  crashPoint('relay.before-ack');
  await ackBatch(client, batch, last);
  state.published += batch.ids.length;
  state.lastError = null;
}
