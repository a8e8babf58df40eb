import { type ServiceName, services } from '@corner/contracts';
import { Pool } from 'undici';

/** Connections to one service; a service's process handles as many requests at once. */
const connections = 256;
/** Connections of streams to one service: a service's process holds as many open. */
const streamConnections = 2_000;
/** Milliseconds without a byte after which a stream has broken: its service writes at least every 15 seconds. */
const silentStreamMs = 60_000;
/** Milliseconds in which a healthy service responds to a probe. */
const probeTimeoutMs = 1_000;

/** Opens a pool of kept-alive connections to each service. The first request connects. */
export function openUpstreams(urls: Readonly<Record<ServiceName, string>>, timeoutMs: number): Upstreams {
  const upstreams = services.map(
    (service): Upstream => ({
      service,
      // `headersTimeout` is off because forward() has a timer of its own, which starts when the request is complete.
      pool: new Pool(urls[service], { connections, pipelining: 1, connectTimeout: timeoutMs, headersTimeout: 0, bodyTimeout: timeoutMs }),
      streams: new Pool(urls[service], {
        ...{ connections: streamConnections, pipelining: 1, connectTimeout: timeoutMs, headersTimeout: 0, bodyTimeout: silentStreamMs },
      }),
      underway: 0,
      fault: null,
    }),
  );
  return {
    of: Object.fromEntries(upstreams.map((upstream) => [upstream.service, upstream])) as Record<ServiceName, Upstream>,
    async probe() {
      await Promise.all(upstreams.map(probe));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(upstreams.flatMap(({ pool, streams }) => [pool.destroy(), streams.destroy()]));
    },
  };
}

async function probe(upstream: Upstream): Promise<void> {
  try {
    const { body } = await upstream.pool.request({ method: 'GET', path: '/livez', signal: AbortSignal.timeout(probeTimeoutMs) });
    await body.dump();
    upstream.fault = null;
  } catch (error) {
    upstream.fault = faultOf(error);
  }
}

/** Returns the code of a network fault. It does not name an address. */
export function faultOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'failed';
}

/** A service as the gateway sees it. */
export interface Upstream {
  readonly service: ServiceName;
  readonly pool: Pool;
  /** Connections for streams of server-sent events, which last: they take none from the requests. */
  readonly streams: Pool;
  /** Requests being forwarded or waiting for a connection. */
  underway: number;
  /** Why the last attempt to reach the service failed; null when it succeeded. */
  fault: string | null;
}

export interface Upstreams extends AsyncDisposable {
  readonly of: Readonly<Record<ServiceName, Upstream>>;
  /** Tries to reach each service once and updates its `fault`. Never throws. */
  probe(): Promise<void>;
}
