import type pg from 'pg';
import { sql } from 'slonik';
import { pause } from '../async/clock.ts';
import { backoffMs, createSignal } from '../async/waiting.ts';
import { createLockClient, endWhenSilent } from '../database/lock-client.ts';
import type { PostgresConnection } from '../database/postgres-connection.ts';
import type { Log } from '../telemetry/log.ts';
import { drawToken, prepareLayout, readLayout } from './consumer-layout.ts';
import type { HeldPart } from './parts.ts';

export interface ConsumerLeaseOptions {
  readonly service: string;
  readonly postgres: PostgresConnection;
  readonly log: Log;
  readonly onParts?: (parts: number) => void;
}

export class LostLease extends Error {
  override readonly message = 'another replica consumes now';
}

export const heldLease = (lease: string) => sql.fragment`select from consumer_lease where token = ${lease}`;

/**
 * Consumes a part until `ended`, and never rejects. It calls `lookAgain` after a LostLease: until the next look it would only hand events
 * back.
 */
type Work = (ended: AbortSignal, held: HeldPart, lookAgain: () => void) => Promise<void>;

/**
 * Runs `work` for each part whose lease this replica holds, again after each loss, until `stopped`: two consumers of one part would break
 * an aggregate's order. A lease is a session lock; losing it aborts the signal of `work`. Writes also check its token, since the signal may
 * come late.
 */
export async function holdConsumerLease(
  { service, postgres, log, onParts = () => {} }: ConsumerLeaseOptions,
  stopped: AbortSignal,
  work: Work,
): Promise<void> {
  for (let faults = 0; !stopped.aborted; ) {
    const lost = new AbortController();
    const client = createLockClient(postgres, `${service} consumer`);
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    const look = createSignal();
    const ended = AbortSignal.any([stopped, lost.signal]);
    ended.addEventListener('abort', look.raise, { once: true });
    const parts = new HeldParts(client, `corner consumer ${service}`, ended, (...held) => work(...held, look.raise), onParts);
    try {
      await client.connect();
      await endWhenSilent(client);
      while (!stopped.aborted) {
        const untilLook = look.arm();
        const holdsAll = await parts.adjust();
        if (parts.count > 0) faults = 0;
        if (!ended.aborted) await untilLook(holdsAll ? watchMs : againMs);
        if (lost.signal.aborted) throw new Error('the connection that holds the leases ended');
      }
    } catch (error) {
      if (!stopped.aborted) log.warn({ err: error }, 'the consumer pauses: events wait in their streams');
      lost.abort();
      await parts.finish();
      await client.end().catch(() => {});
      await pause(backoffMs(faults++), stopped);
    } finally {
      await parts.finish();
      await client.end().catch(() => {});
    }
  }
}

const againMs = 250;
/** At this interval it checks that Postgres still responds on the connection of the leases, and that they are still held. */
const watchMs = 2_000;

const lockNotAvailable = '55P03';

type HeldWork = (ended: AbortSignal, held: HeldPart) => Promise<void>;

interface RunningPart {
  readonly lease: string;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/**
 * The parts that one replica consumes. Of several parts it takes its share, and holds the service's lock together with the other replicas;
 * a single part needs that lock exclusively. So a change of the number begins when all replicas have finished.
 */
class HeldParts {
  readonly ended: AbortSignal;
  readonly #client: pg.Client;
  readonly #lock: string;
  readonly #work: HeldWork;
  readonly #onParts: (parts: number) => void;
  readonly #running = new Map<number, RunningPart>();
  #of: number | null = null;

  constructor(client: pg.Client, lock: string, ended: AbortSignal, work: HeldWork, onParts: (parts: number) => void) {
    this.#client = client;
    this.#lock = lock;
    this.ended = ended;
    this.#work = work;
    this.#onParts = onParts;
  }

  get count(): number {
    return this.#running.size;
  }

  async adjust(): Promise<boolean> {
    const { parts, prepared, replicas, tokens } = await readLayout(this.#client, this.#lock);
    this.#onParts(prepared);
    for (const [part, { lease }] of this.#running) if (tokens[part] !== lease) await this.#giveUp(part);
    if (this.#of !== null && (parts !== this.#of || prepared !== this.#of)) await this.#release();
    if (this.#of === null) {
      this.#of = await this.#join(parts, prepared);
      if (this.#of !== 1) return false;
    }
    const share = Math.ceil(this.#of / Math.max(1, replicas));
    for (const part of [...this.#running.keys()].slice(share)) await this.#giveUp(part);
    for (let part = 0; part < this.#of && this.#running.size < share; part += 1) if (!this.#running.has(part)) await this.#tryPart(part);
    return this.#running.size >= share;
  }

  async finish(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort();
    await Promise.all([...this.#running.values()].map(({ done }) => done));
    this.#running.clear();
  }

  async #join(parts: number, prepared: number): Promise<number | null> {
    const alone = parts === 1 || parts !== prepared;
    if (!(await tryLock(this.#client, this.#lock, alone ? 'alone' : 'shared'))) return null;
    if (parts === prepared) return parts;
    await prepareLayout(this.#client, parts);
    if (parts === 1) return 1;
    await unlock(this.#client, this.#lock, 'alone');
    return null;
  }

  async #tryPart(part: number): Promise<void> {
    const of = this.#of as number;
    // A single part has no lease but the service's lock, which is held here.
    if (of > 1 && !(await tryLock(this.#client, this.#lockOf(part), 'alone'))) return;
    const lease = await drawToken(this.#client, part).catch((error: { readonly code?: unknown }) => {
      if (error.code !== lockNotAvailable) throw error;
      return null;
    });
    if (lease === null) {
      // A handler of another part is slow. The held parts continue, and this one is tried again at the next look.
      if (of > 1) await unlock(this.#client, this.#lockOf(part), 'alone');
      return;
    }
    const stop = new AbortController();
    const done = this.#work(AbortSignal.any([this.ended, stop.signal]), { part, of, lease });
    this.#running.set(part, { lease, stop, done });
  }

  async #giveUp(part: number): Promise<void> {
    const running = this.#running.get(part);
    running?.stop.abort();
    await running?.done;
    this.#running.delete(part);
    if (this.#of !== 1) await unlock(this.#client, this.#lockOf(part), 'alone');
  }

  async #release(): Promise<void> {
    const of = this.#of;
    for (const { stop } of this.#running.values()) stop.abort();
    for (const part of [...this.#running.keys()]) await this.#giveUp(part);
    await unlock(this.#client, this.#lock, of === 1 ? 'alone' : 'shared');
    this.#of = null;
  }

  #lockOf(part: number): string {
    return `${this.#lock} part ${part}`;
  }
}

type Mode = 'alone' | 'shared';

async function tryLock(client: pg.Client, lock: string, mode: Mode): Promise<boolean> {
  const { rows } = await client.query<{ ours: boolean }>(
    `select pg_try_advisory_lock${mode === 'shared' ? '_shared' : ''}(hashtextextended($1, 0)) as ours`,
    [lock],
  );
  return rows[0]?.ours ?? false;
}

const unlock = (client: pg.Client, lock: string, mode: Mode): Promise<unknown> =>
  client.query(`select pg_advisory_unlock${mode === 'shared' ? '_shared' : ''}(hashtextextended($1, 0))`, [lock]);
