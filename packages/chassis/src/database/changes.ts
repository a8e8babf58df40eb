import type pg from 'pg';
import type { Log } from '../telemetry/log.ts';
import { createLockClient } from './lock-client.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/** What replies to anyone may show, such as the name of a store: the key of its changes. */
export const shared = '00000000-0000-0000-0000-000000000000';

/** Keys that one look reads at most, and that are kept at most. Beyond, everything counts as changed. */
const most = { read: 1_000, kept: 50_000 };
/** Milliseconds between two looks, at most, for the later one to know what changed in between. Housekeeping deletes after an hour. */
const lookedAgainMs = 600_000;

/**
 * What has been committed to the tables that note their changes, by store and customer (the table `noted_change`). It is read from the database
 * itself, so it knows the commits of every process, whether they published an event or not.
 */
export interface Changes extends AsyncDisposable {
  /**
   * Returns a position that includes every commit before the call. Calls at the same time share a statement. Null when the database cannot
   * say; then nothing counts as unchanged that was read before.
   */
  position(): Promise<number | null>;
  /** Returns whether nothing of these keys has changed between a position and the last one. */
  unchangedSince(position: number, keys: readonly string[]): boolean;
}

/** Opens the list of changes, with a connection of its own at the first call. */
export const openChanges = (options: ChangesOptions): Changes => new ChangeList(options);

class ChangeList implements Changes {
  readonly #options: ChangesOptions;
  readonly #changedAt = new Map<string, number>();
  #client: pg.Client | null = null;
  /** The snapshot of the last look; null when there is none to go on from. */
  #snapshot: string | null = null;
  #lookedAt = 0;
  #position = 0;
  /** What was read before this position counts as changed. */
  #knownFrom = 1;
  #looking: Promise<number | null> | null = null;
  #next: Promise<number | null> | null = null;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  position(): Promise<number | null> {
    if (!this.#looking) return this.#begin();
    // The look under way may have begun before a commit that the caller knows of.
    this.#next ??= this.#looking.then(() => {
      this.#next = null;
      return this.#begin();
    });
    return this.#next;
  }

  unchangedSince(position: number, keys: readonly string[]): boolean {
    return position >= this.#knownFrom && keys.every((key) => (this.#changedAt.get(key) ?? 0) <= position);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#looking;
    await this.#client?.end().catch(() => {});
  }

  #begin(): Promise<number | null> {
    const looking = this.#look()
      .catch((error: unknown) => this.#lose(error))
      .finally(() => {
        if (this.#looking === looking) this.#looking = null;
      });
    this.#looking = looking;
    return looking;
  }

  async #look(): Promise<number> {
    const client = await this.#connect();
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

  async #connect(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = createLockClient(this.#options.postgres, `${this.#options.service} changes`);
    client.on('error', () => this.#leave(client));
    client.on('end', () => this.#leave(client));
    await client.connect();
    this.#client = client;
    return client;
  }

  /** Another connection may be to another server, which has other commits. */
  #leave(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#snapshot = null;
    this.#forget(this.#position + 1);
  }

  #lose(error: unknown): null {
    const client = this.#client;
    this.#options.log.warn({ err: error }, 'changes cannot be read: polls are answered in full');
    if (client) {
      this.#leave(client);
      void client.end().catch(() => {});
    }
    return null;
  }

  #forget(from: number): void {
    this.#changedAt.clear();
    this.#knownFrom = from;
  }
}

// By the primary key, so that the server reads new rows only.
const changesSince = `
  select pg_current_snapshot()::text as snapshot, array(
    select key from noted_change where transaction_id >= $1::xid8
    union select key from noted_change where transaction_id = any($2::xid8[]) limit ${most.read + 1})::text[] as keys`;

interface ChangesOptions {
  readonly service: string;
  readonly postgres: PostgresConnection;
  readonly log: Log;
}
