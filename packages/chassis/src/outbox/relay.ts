import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@corner/contracts';
import type pg from 'pg';
import { backoffMs } from '../async/backoff.ts';
import { createSignal, type Signal } from '../async/signal.ts';
import type { Broker } from '../broker/broker.ts';
import { describeBrokerFault } from '../broker/limits.ts';
import { createLockClient, endWhenSilent } from '../database/lock-client.ts';
import type { PostgresConnection } from '../database/postgres-connection.ts';
import { crashPoint } from '../errors/crash-point.ts';
import type { Log } from '../telemetry/log.ts';
import { type Published, publishInOrder } from './publish-in-order.ts';
import {
  type Acknowledgement,
  type Batch,
  type Leadership,
  lead,
  oldestUnackedBatch,
  pagesOf,
  recordAcknowledgement,
  takeBatch,
} from './relay-batches.ts';
import { rewindToWhatTheBrokerHolds } from './relay-rewind.ts';
import { renumberAfterDump, reportUnknownEvents } from './restored-outbox.ts';

/** Publishes a service's outbox to its stream. Every replica runs a relay; one of them leads. */
export interface Relay extends AsyncDisposable {
  /** Reads the outbox now rather than at the next poll. Call it after a commit that published events. */
  wake(): void;
  readonly state: RelayState;
}

export interface RelayState {
  leading: boolean;
  /** Events published by this process, repeats included. */
  published: number;
  /** Times events were published again because the broker had lost them. */
  rewinds: number;
  /** Why events are not published at the moment, for the operator; null when they are. */
  fault: string | null;
  /** What the stream lacks although events are published to it, for the operator; null for nothing. */
  shortfall: string | null;
}

export interface RelayOptions {
  readonly service: ServiceName;
  readonly postgres: PostgresConnection;
  readonly broker: Broker;
  readonly log: Log;
  /** Milliseconds between polls of the outbox when nothing wakes the relay. A lost wake-up costs this delay, never an event. */
  readonly pollMs?: number;
  /** Milliseconds between checks that the broker still holds what it acknowledged. */
  readonly checkMs?: number;
}

/** Starts the relay. It ends only by disposal: after a fault it tries again with backoff. */
export function startRelay(options: RelayOptions): Relay {
  const stop = new AbortController();
  const signal = createSignal();
  const state: RelayState = { leading: false, published: 0, rewinds: 0, fault: null, shortfall: null };
  const running = keepLeading({ ...options, signal, state }, stop.signal);
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

interface RunningRelay extends RelayOptions {
  readonly signal: Signal;
  readonly state: RelayState;
}

async function keepLeading(relay: RunningRelay, stopped: AbortSignal): Promise<void> {
  for (let faults = 0; !stopped.aborted; ) {
    const client = createLockClient(relay.postgres, `${relay.service} relay`);
    client.on('error', () => {}); // The next statement fails and names the fault.
    try {
      await client.connect();
      await endWhenSilent(client);
      if (await becomeLeader(client, relay, stopped)) {
        relay.state.leading = true;
        await relayWhileLeading(client, relay, stopped, () => {
          faults = 0;
          relay.state.fault = null;
        });
      }
    } catch (error) {
      relay.state.fault = describeBrokerFault(error);
      relay.log.warn({ err: error, fault: relay.state.fault }, 'the relay pauses: events wait in the outbox');
      await pause(backoffMs(faults++), undefined, { signal: stopped }).catch(() => {});
    } finally {
      relay.state.leading = false;
      relay.state.shortfall = null;
      await client.end().catch(() => {});
    }
  }
}

/**
 * Waits until this replica leads; returns false when stopped first. Leadership is a session lock: it ends with the connection, whatever
 * happened to the process. While another replica leads, a wake-up is passed on to it by NOTIFY, outside any transaction: inside one,
 * NOTIFY would make all commits wait for one lock.
 */
async function becomeLeader(client: pg.Client, { service, signal }: RunningRelay, stopped: AbortSignal): Promise<boolean> {
  while (!stopped.aborted) {
    const waitForSignal = signal.arm();
    const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as ours', [
      `corner relay ${service}`,
    ]);
    if (rows[0]?.ours) {
      client.on('notification', signal.raise);
      // What the relay writes says how far it is. When a crash of the server loses the end of that, events are published again, under
      // the same message ids.
      await client.query(`listen ${channelOf(service)}; set synchronous_commit = off`);
      return true;
    }
    if (await waitForSignal(250)) await client.query(`notify ${channelOf(service)}`);
  }
  return false;
}

const channelOf = (service: string): string => `corner_outbox_${service}`;

/** Publishes batch after batch until stopped. Calls `onProgress` after each check and each batch. Throws on the first fault. */
async function relayWhileLeading(client: pg.Client, relay: RunningRelay, stopped: AbortSignal, onProgress: () => void): Promise<void> {
  const { signal, pollMs = 1_000, checkMs = 2_000 } = relay;
  await reportUnknownEvents(client, relay.broker, relay.service, relay.log);
  await renumberAfterDump(client, relay.log);
  const leadership = await lead(client);
  await rewindIfLost(client, relay);
  await finishBatches(client, relay, stopped);
  onProgress();
  let checkedAt = performance.now();
  while (!stopped.aborted) {
    if (performance.now() - checkedAt > checkMs) {
      // The check looks at the newest batch on record as acknowledged, so the last one must be on record.
      await recordLast(client, leadership);
      if (await rewindIfLost(client, relay)) await finishBatches(client, relay, stopped);
      checkedAt = performance.now();
      onProgress();
    }
    const waitForSignal = signal.arm();
    const batch = await takeBatch(client, leadership);
    if (batch) {
      crashPoint('relay.after-batch');
      leadership.unrecorded = await publishBatch(client, relay, batch);
      onProgress();
    }
    // A batch takes every row there is, so the next read can wait for a signal.
    await waitForSignal(leadership.unrecorded ? unrecordedMs : pollMs);
  }
  await recordLast(client, leadership);
}

/** Milliseconds that an acknowledgement waits for the next batch, which records it without a statement of its own. */
const unrecordedMs = 250;

async function recordLast(client: pg.Client, leadership: Leadership): Promise<void> {
  if (leadership.unrecorded) await recordAcknowledgement(client, leadership.unrecorded);
  leadership.unrecorded = null;
}

/** Returns whether the broker has lost events, which are marked as not acknowledged then. */
async function rewindIfLost(client: pg.Client, { broker, service, state, log }: RunningRelay): Promise<boolean> {
  const { rewinds, shortfall } = await rewindToWhatTheBrokerHolds({ client, broker, service }, log);
  if (shortfall !== null && shortfall !== state.shortfall)
    log.warn({ shortfall }, 'the stream lacks something: publishing to it all the same');
  state.shortfall = shortfall;
  state.rewinds += rewinds;
  return rewinds > 0;
}

/** Publishes the batches that are on record and not acknowledged: the broker lost them, or the leader before did not finish them. */
async function finishBatches(client: pg.Client, relay: RunningRelay, stopped: AbortSignal): Promise<void> {
  for (let batch = await oldestUnackedBatch(client); batch && !stopped.aborted; batch = await oldestUnackedBatch(client))
    await recordAcknowledgement(client, await publishBatch(client, relay, batch));
}

/** Publishes a batch in order and returns the acknowledgement. After a fault it is published again, under the same message ids. */
async function publishBatch(client: pg.Client, { broker, service, state }: RunningRelay, batch: Batch): Promise<Acknowledgement> {
  let last: Published | null = null;
  for await (const page of pagesOf(client, batch)) {
    last = (await publishInOrder({ broker, service, republished: batch.republished }, page)) ?? last;
    crashPoint('relay.mid-batch');
  }
  crashPoint('relay.before-ack');
  state.published += batch.size;
  return { batch, last };
}
