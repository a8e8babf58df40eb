import type { LookupAddress } from 'node:dns';
import type { Log } from '@corner/chassis/edge';
import type { ServiceName } from '@corner/contracts';
import { Pool } from 'undici';

const connections = 256;
/** Milliseconds without a byte after which a stream has broken: its service writes at least every 15 seconds. */
const silentStreamMs = 60_000;
/** Milliseconds for one connection. Shorter than a request may take, so that another replica can be tried in time. */
const connectMs = 5_000;
/** Milliseconds in which a healthy service reports readiness: it gives its own checks two seconds. */
const probeTimeoutMs = 3_000;

/** Milliseconds between two lines that say that a replica is full: a line for each refusal would cost most when there is least room. */
const fullLineEveryMs = 60_000;

/** The faults of a request for which no connection was made: the replica cannot be reached. */
export const neverSent = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The states of a replica that is reachable and wants no requests. */
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
    // `headersTimeout` is off because forward() has a timer of its own, which starts when the request is complete.
    const shared = { pipelining: 1, connectTimeout: Math.min(timeoutMs, connectMs), headersTimeout: 0, ...connectTo(addresses) };
    this.pool = new Pool(origin, { ...shared, connections, bodyTimeout: timeoutMs });
    // As many as there are streams, whose number has limits of its own, and one for probes.
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
    // A replica that drains still responds to what it has.
    if (this.#fault !== null && !unready.has(this.#fault)) this.#bringBack();
  }

  async probe(): Promise<void> {
    try {
      // Among the streams, a probe waits for no request.
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

/** Connects to these addresses, whatever the name means elsewhere. The name stays in Host and in what TLS verifies. */
function connectTo(addresses: readonly LookupAddress[] | null): Pick<Pool.Options, 'connect'> {
  const [first] = addresses ?? [];
  if (!addresses || !first) return {};
  return {
    connect: {
      lookup: (_name, { all }, found) => (all ? found(null, [...addresses]) : found(null, first.address, first.family)),
    },
  };
}

/** Returns the code of a network fault. It does not name an address. */
export function faultOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'failed';
}

interface ReplicaOptions {
  readonly service: ServiceName;
  readonly origin: string;
  /** The addresses of this replica; null to look the name up for each connection. */
  readonly addresses: readonly LookupAddress[] | null;
  readonly timeoutMs: number;
  readonly log: Log;
}

export interface Replica extends AsyncDisposable {
  readonly origin: string;
  readonly pool: Pool;
  /** Connections for streams of server-sent events, which last: they take none from the requests. */
  readonly streams: Pool;
  underway: number;
  /** Why the replica is out; null while it is in. */
  readonly fault: string | null;
  /** 0 for a replica that is in, 1 for one that is reached and wants no requests, 2 for one that cannot be reached. */
  readonly preference: 0 | 1 | 2;
  takeOut(why: string): void;
  /** Calls `listener` each time that it is found unreachable, by a connection that cannot be made or by a probe, until the function that is returned is called. */
  onUnreachable(listener: () => void): () => void;
  /** Logs that it has all the work it can take, once a minute. */
  noteFull(): void;
  responded(): void;
  /** Asks whether it is ready, and takes it out or brings it back. Never throws. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
