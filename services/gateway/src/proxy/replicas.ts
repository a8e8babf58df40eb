import type { LookupAddress } from 'node:dns';
import type { Log } from '@corner/chassis/edge';
import type { ServiceName } from '@corner/contracts';
import { Pool } from 'undici';

const connections = 256;
/**
 * Milliseconds. A stream has broken after this silence: its service writes at least every 15 seconds. A connection's limit is shorter than
 * a request's, so that another replica can be tried in time. A healthy service gives its own readiness checks two seconds.
 */
const silentStreamMs = 60_000;
const connectMs = 5_000;
const probeTimeoutMs = 3_000;

/** Milliseconds between two lines that report a full replica: a line for each refusal would cost most when there is least capacity. */
const fullLineEveryMs = 60_000;

export const neverSent = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const unready = new Set(['draining', 'not ready']);

export const openReplica = (options: ReplicaOptions): Replica => new PooledReplica(options);

class PooledReplica implements Replica {
  readonly origin: string;
  readonly pool: Pool;
  readonly streams: Pool;
  underway = 0;
  readonly #options: ReplicaOptions;
  readonly #listeners = new Set<() => void>();
  #fault: string | null = null;
  #notedFullAt = Number.NEGATIVE_INFINITY;

  constructor(options: ReplicaOptions) {
    const { origin, addresses, timeoutMs } = options;
    // forward() has its own timer instead of `headersTimeout`; it starts when the request is complete.
    const shared = { pipelining: 1, connectTimeout: Math.min(timeoutMs, connectMs), headersTimeout: 0, ...connectTo(addresses) };
    this.pool = new Pool(origin, { ...shared, connections, bodyTimeout: timeoutMs });
    // As many connections as there are streams, which are limited elsewhere, and one for probes, which then wait for no request.
    this.streams = new Pool(origin, { ...shared, bodyTimeout: silentStreamMs });
    this.origin = origin;
    this.#options = options;
  }

  get fault(): string | null {
    return this.#fault;
  }

  get preference(): 0 | 1 | 2 {
    if (this.#fault === null) return 0;
    return unready.has(this.#fault) ? 1 : 2;
  }

  onUnreachable(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  takeOut(why: string): void {
    if (this.#fault === null) this.#options.log.warn({ ...this.#logFields(), fault: why }, 'a replica is out');
    this.#fault = why;
    // A connection that ended ends one request; the replica may respond to the others.
    if (neverSent.has(why)) this.#tellUnreachable();
  }

  #tellUnreachable(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  noteFull(): void {
    if (performance.now() - this.#notedFullAt < fullLineEveryMs) return;
    this.#notedFullAt = performance.now();
    this.#options.log.error({ ...this.#logFields(), underway: this.underway }, 'a replica is full: further requests are refused');
  }

  responded(): void {
    if (this.#fault !== null && !unready.has(this.#fault)) this.#bringBack();
  }

  async probe(): Promise<void> {
    try {
      const request = { method: 'GET', path: '/readyz', signal: AbortSignal.timeout(probeTimeoutMs) } as const;
      const { statusCode, body } = await this.streams.request(request);
      const text = await body.text();
      if (statusCode === 503) this.takeOut(/"draining":\s*true/.test(text) ? 'draining' : 'not ready');
      else this.#bringBack();
    } catch (error) {
      this.takeOut(faultOf(error));
      this.#tellUnreachable();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.streams.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.pool.destroy(), this.streams.destroy()]);
  }

  #bringBack(): void {
    if (this.#fault !== null) this.#options.log.info(this.#logFields(), 'a replica is back');
    this.#fault = null;
  }

  #logFields() {
    const { service, origin, addresses } = this.#options;
    return { upstream: service, replica: addresses ? `${origin} at ${addresses.map(({ address }) => address).join(', ')}` : origin };
  }
}

/** Connects to these addresses instead of a lookup. The name stays in Host and in what TLS verifies. */
function connectTo(addresses: readonly LookupAddress[] | null): Pick<Pool.Options, 'connect'> {
  const [first] = addresses ?? [];
  if (!addresses || !first) return {};
  return {
    connect: {
      lookup: (_name, { all }, found) => (all ? found(null, [...addresses]) : found(null, first.address, first.family)),
    },
  };
}

/** Returns the code of a network fault, never an address. */
export function faultOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'failed';
}

interface ReplicaOptions {
  readonly service: ServiceName;
  readonly origin: string;
  /** Null to look the name up for each connection. */
  readonly addresses: readonly LookupAddress[] | null;
  readonly timeoutMs: number;
  readonly log: Log;
}

/**
 * `streams` has the connections for server-sent events, which last: they take none from the requests. `fault` is why the replica is out;
 * null while it is in. `preference`: 0 is in, 1 reachable but wants no requests (draining, not ready), 2 unreachable.
 *
 * `onUnreachable` calls `listener` each time that a connection or a probe finds the replica unreachable, and returns the function that
 * stops this. `noteFull` logs once a minute. `probe` takes the replica out or brings it back by its readiness, and never throws.
 */
export interface Replica extends AsyncDisposable {
  readonly origin: string;
  readonly pool: Pool;
  readonly streams: Pool;
  underway: number;
  readonly fault: string | null;
  readonly preference: 0 | 1 | 2;
  takeOut(why: string): void;
  onUnreachable(listener: () => void): () => void;
  noteFull(): void;
  responded(): void;
  probe(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `fault` names the faults of its replicas, without addresses; null when all are in. `choose` returns a replica that was not tried: one
 * that is in, with the fewest requests; else one that is out, since that may have changed.
 */
export interface Upstream {
  readonly service: ServiceName;
  readonly replicas: readonly Replica[];
  readonly fault: string | null;
  choose(tried: readonly Replica[]): Replica | undefined;
}
