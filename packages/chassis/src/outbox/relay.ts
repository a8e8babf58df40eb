import { numbers, type ServiceName } from '@corner/contracts';
import type pg from 'pg';
import { pause } from '../async/clock.ts';
import { backoffMs, createSignal, type Signal } from '../async/waiting.ts';
import { type Broker, UnfitStream } from '../broker/broker.ts';
import { findBrokerFault } from '../broker/limits.ts';
import { againMs } from '../broker/streams.ts';
import { createLockClient, endWhenSilent } from '../database/lock-client.ts';
import type { PostgresConnection } from '../database/postgres-connection.ts';
import { crashPoint } from '../errors/crash-point.ts';
import type { Log } from '../telemetry/log.ts';
import { beginNumbering, lead, type Numbering, renumberAfterDump } from './leadership.ts';
import { watchForLoss } from './lost-snapshots.ts';
import { publishInOrder } from './publish-in-order.ts';
import { type Batch, oldestUnackedBatch, pagesOf, recordAcknowledgement, takeBatch } from './relay-batches.ts';

/**
 * Publishes a service's outbox to its stream. Every replica runs a relay; one of them leads. Call `wake` after a commit that published
 * events: it reads the outbox before the next poll.
 */
export interface Relay extends AsyncDisposable {
  wake(): void;
  readonly state: RelayState;
}

interface RelayState {
  leading: boolean;
  /** Events published by this process, repeats included. */
  published: number;
  /** Why events are not published at the moment, for the operator; null when they are. */
  fault: string | null;
  storesNothing: boolean;
}

export interface RelayOptions {
  readonly service: ServiceName;
  readonly postgres: PostgresConnection;
  readonly broker: Broker;
  readonly log: Log;
  /** Milliseconds between polls of the outbox when nothing wakes the relay. A lost wake-up costs this delay, never an event. */
  readonly pollMs?: number;
}

export function startRelay(options: RelayOptions): Relay {
  const stop = new AbortController();
  const signal = createSignal();
  const state: RelayState = { leading: false, published: 0, fault: null, storesNothing: false };
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
          relay.state.storesNothing = false;
        });
      }
    } catch (error) {
      const { sentence, storesNothing } = await findBrokerFault(error, () => relay.broker.isSilent(relay.service));
      // The diagnosis holds until the broker stores an event: connections may end meanwhile for the same reason.
      if (storesNothing || !relay.state.storesNothing) relay.state.fault = sentence;
      relay.state.storesNothing ||= storesNothing;
      relay.log.warn({ err: error, fault: relay.state.fault }, 'the relay pauses: events wait in the outbox');
      await pause(backoffMs(faults++, againMs), stopped);
    } finally {
      relay.state.leading = false;
      await client.end().catch(() => {});
    }
  }
}

/**
 * Waits until this replica leads; false when stopped first. Leadership is a session lock. Meanwhile a wake-up is passed on by NOTIFY,
 * outside any transaction, where it would make all commits wait for one lock.
 */
async function becomeLeader(client: pg.Client, { service, signal, state }: RunningRelay, stopped: AbortSignal): Promise<boolean> {
  while (!stopped.aborted) {
    const waitForSignal = signal.arm();
    const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as ours', [
      `corner relay ${service}`,
    ]);
    if (rows[0]?.ours) {
      client.on('notification', signal.raise);
      await client.query(`listen ${channelOf(service)}`);
      return true;
    }
    state.fault = null;
    state.storesNothing = false;
    if (await waitForSignal(250)) await client.query(`notify ${channelOf(service)}`);
  }
  return false;
}

const channelOf = (service: string): string => `corner_outbox_${service}`;

async function relayWhileLeading(client: pg.Client, relay: RunningRelay, stopped: AbortSignal, onProgress: () => void): Promise<void> {
  const { signal, broker, service, log, pollMs = 1_000 } = relay;
  await renumberAfterDump(client, log);
  const leadership = await lead(client);
  const { fault } = await broker.lookAtStream(service);
  if (fault !== null) throw new UnfitStream(fault);
  await finishBatches(client, relay, stopped);
  onProgress();
  let numbering: Numbering | null = null;
  // Consumers request lost events that have numbers.
  const publishLost = numbers(service) ? null : watchForLoss(client, relay);
  while (!stopped.aborted) {
    const waitForSignal = signal.arm();
    await publishLost?.(numbering?.unrecorded != null);
    numbering ??= await beginNumbering(client, leadership);
    const batch = numbering && (await takeBatch(client, numbering));
    if (numbering && batch) {
      crashPoint('relay.after-batch');
      await publishBatch(client, relay, batch);
      numbering.unrecorded = batch.firstNumber;
      onProgress();
    }
    await waitForSignal(numbering?.unrecorded == null ? pollMs : unrecordedMs);
  }
  if (numbering) await recordLast(client, numbering);
}

/** For this long an acknowledgement waits for the next batch, which records it without a statement of its own. */
const unrecordedMs = 250;

async function recordLast(client: pg.Client, numbering: Numbering): Promise<void> {
  if (numbering.unrecorded !== null) await recordAcknowledgement(client, numbering.unrecorded);
}

async function finishBatches(client: pg.Client, relay: RunningRelay, stopped: AbortSignal): Promise<void> {
  for (let batch = await oldestUnackedBatch(client); batch && !stopped.aborted; batch = await oldestUnackedBatch(client)) {
    await publishBatch(client, relay, batch);
    await recordAcknowledgement(client, batch.firstNumber);
  }
}

/** After a fault a batch is published again, under the same numbers and message ids. */
async function publishBatch(client: pg.Client, { broker, service, state }: RunningRelay, batch: Batch): Promise<void> {
  let { firstNumber } = batch;
  for await (const page of pagesOf(client, batch)) {
    await publishInOrder({ broker, service, incarnation: batch.incarnation, firstNumber }, page);
    firstNumber += page.length;
    crashPoint('relay.mid-batch');
  }
  crashPoint('relay.before-ack');
  state.published += batch.size;
}
