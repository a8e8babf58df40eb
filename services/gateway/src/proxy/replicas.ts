import type { LookupAddress } from 'node:dns';
import type { Log } from '@corner/chassis/edge';
import type { ServiceName } from '@corner/contracts';
import { Pool } from 'undici';

/** Connections to one replica; a service's process handles as many requests at once. */
const connections = 256;
/** Connections of streams to one replica: a service's process holds as many open. */
const streamConnections = 2_000;
/** Milliseconds without a byte after which a stream has broken: its service writes at least every 15 seconds. */
const silentStreamMs = 60_000;
/** Milliseconds for one connection. Shorter than a request may take, so that another replica can be tried in time. */
const connectMs = 5_000;
/** Milliseconds in which a healthy service says that it is ready: it gives its own checks two seconds. */
const probeTimeoutMs = 3_000;

/** What a replica that can be reached says of itself when it wants no requests. */
const unready = new Set(['draining', 'not ready']);

/** Opens two pools of kept-alive connections to one replica. The first request connects. */
export function openReplica({ service, origin, addresses, timeoutMs, log }: ReplicaOptions): Replica {
  // `headersTimeout` is off because forward() has a timer of its own, which starts when the request is complete.
  const shared = { pipelining: 1, connectTimeout: Math.min(timeoutMs, connectMs), headersTimeout: 0, ...connectTo(addresses) };
  const pool = new Pool(origin, { ...shared, connections, bodyTimeout: timeoutMs });
  const streams = new Pool(origin, { ...shared, connections: streamConnections, bodyTimeout: silentStreamMs });
  const address = addresses ? `${origin} at ${addresses.map(({ address: ip }) => ip).join(', ')}` : origin;
  let fault: string | null = null;

  const takeOut = (why: string): void => {
    if (fault === null) log.warn({ upstream: service, replica: address, fault: why }, 'a replica is out');
    fault = why;
  };
  const bringBack = (): void => {
    if (fault !== null) log.info({ upstream: service, replica: address }, 'a replica is back');
    fault = null;
  };

  return {
    pool,
    streams,
    origin,
    underway: 0,
    get fault() {
      return fault;
    },
    takeOut,
    responded() {
      // A replica that drains still responds to what it has.
      if (fault !== null && !unready.has(fault)) bringBack();
    },
    get preference() {
      return fault === null ? 0 : unready.has(fault) ? 1 : 2;
    },
    async probe() {
      try {
        // Among the streams, a probe waits for no request.
        const request = { method: 'GET', path: '/readyz', signal: AbortSignal.timeout(probeTimeoutMs) } as const;
        const { statusCode, body } = await streams.request(request);
        const text = await body.text();
        if (statusCode === 503) takeOut(/"draining":\s*true/.test(text) ? 'draining' : 'not ready');
        else bringBack();
      } catch (error) {
        takeOut(faultOf(error));
      }
    },
    async close() {
      await Promise.all([pool.close(), streams.close()]);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([pool.destroy(), streams.destroy()]);
    },
  };
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
  /** Scheme, name and port. */
  readonly origin: string;
  /** The addresses of this replica; null to look the name up for each connection. */
  readonly addresses: readonly LookupAddress[] | null;
  /** Milliseconds between two parts of a response. */
  readonly timeoutMs: number;
  readonly log: Log;
}

/** One process of a service, as the gateway sees it. */
export interface Replica extends AsyncDisposable {
  /** Scheme, name and port. */
  readonly origin: string;
  readonly pool: Pool;
  /** Connections for streams of server-sent events, which last: they take none from the requests. */
  readonly streams: Pool;
  /** Requests being forwarded or waiting for a connection. */
  underway: number;
  /** Why the replica is out; null while it is in. */
  readonly fault: string | null;
  /** 0 for a replica that is in, 1 for one that is reached and wants no requests, 2 for one that cannot be reached. */
  readonly preference: 0 | 1 | 2;
  takeOut(why: string): void;
  /** Notes that it responded to a request, so that it can be reached. */
  responded(): void;
  /** Asks whether it is ready, and takes it out or brings it back. Never throws. */
  probe(): Promise<void>;
  /** Closes the connections once their requests have ended. */
  close(): Promise<void>;
}
