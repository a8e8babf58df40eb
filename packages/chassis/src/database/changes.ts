import type pg from 'pg';
import type { Log } from '../telemetry/log.ts';

/** The key of changes that are visible in replies to anyone, such as a store's name. */
export const shared = '00000000-0000-0000-0000-000000000000';

/**
 * Keys in one read, and keys in memory; beyond either, everything counts as changed. So it does after `lookedAgainMs` without a read, well
 * before housekeeping deletes the notes.
 */
const most = { read: 1_000, kept: 50_000 };
const lookedAgainMs = 600_000;

/**
 * The stores and customers that transactions have changed (table `noted_change`). They are read from the database itself, so the commits of
 * every process count, whether they published an event or not.
 */
export interface Changes {
  /**
   * Returns a position that includes every commit before the call. Concurrent calls share a statement. Null when the database cannot be
   * read; then nothing counts as unchanged that was read before.
   */
  position(): Promise<number | null>;
  unchangedSince(position: number, keys: readonly string[]): boolean;
}

/**
 * `session` returns the connection that reads the changes; null while there is none. A new connection may be to another server, which has
 * other commits: then everything counts as changed.
 */
export const createChanges = (session: () => pg.Client | null, log: Log): Changes => new ChangeList(session, log);

class ChangeList implements Changes {
  readonly #session: () => pg.Client | null;
  readonly #log: Log;
  readonly #changedAt = new Map<string, number>();
  #client: pg.Client | null = null;
  #snapshot: string | null = null;
  #lookedAt = 0;
  #position = 0;
  #knownFrom = 1;
  #looking: Promise<number | null> | null = null;
  #next: Promise<number | null> | null = null;

  constructor(session: () => pg.Client | null, log: Log) {
    this.#session = session;
    this.#log = log;
  }

  position(): Promise<number | null> {
    if (!this.#looking) return this.#begin();
    // The read in progress may have begun before a commit that the caller knows of.
    this.#next ??= this.#looking.then(() => {
      this.#next = null;
      return this.#begin();
    });
    return this.#next;
  }

  unchangedSince(position: number, keys: readonly string[]): boolean {
    return position >= this.#knownFrom && keys.every((key) => (this.#changedAt.get(key) ?? 0) <= position);
  }

  #begin(): Promise<number | null> {
    const looking = this.#look()
      .catch((error: unknown) => {
        this.#log.warn({ err: error }, 'changes cannot be read: polls are answered in full');
        this.#snapshot = null;
        return null;
      })
      .finally(() => {
        if (this.#looking === looking) this.#looking = null;
      });
    this.#looking = looking;
    return looking;
  }

  async #look(): Promise<number | null> {
    const client = this.#session();
    if (client !== this.#client) this.#snapshot = null;
    this.#client = client;
    if (!client) return null;
    const beganAt = performance.now();
    if (beganAt - this.#lookedAt > lookedAgainMs) this.#snapshot = null;
    // A snapshot is written xmin:xmax:transactions in progress.
    const [, xmax = null, inProgress = ''] = this.#snapshot?.split(':') ?? [];
    const { rows } = await client.query<{ snapshot: string; keys: string[] }>({
      name: 'changes-since',
      text: changesSince,
      values: [xmax, inProgress.split(',').filter(Boolean)],
    });
    const { snapshot, keys } = rows[0] ?? { snapshot: '', keys: [] };
    this.#position += 1;
    const isKnown = xmax !== null && keys.length <= most.read && BigInt(snapshot.split(':')[1] ?? 0) >= BigInt(xmax);
    if (!isKnown || this.#changedAt.size + keys.length > most.kept) this.#forget(this.#position);
    else for (const key of keys) this.#changedAt.set(key, this.#position);
    this.#snapshot = snapshot;
    this.#lookedAt = beganAt;
    return this.#position;
  }

  #forget(from: number): void {
    this.#changedAt.clear();
    this.#knownFrom = from;
  }
}

const changesSince = `
  select pg_current_snapshot()::text as snapshot, array(
    select key from noted_change where transaction_id >= $1::xid8
    union select key from noted_change where transaction_id = any($2::xid8[]) limit ${most.read + 1})::text[] as keys`;
