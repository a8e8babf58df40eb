import { type ServiceName, services } from '@corner/contracts';
import { Pool } from 'undici';

/** A service as the gateway sees it. */
export interface Upstream {
  readonly service: ServiceName;
  readonly pool: Pool;
  /** Requests being forwarded or waiting for a connection. */
  underway: number;
  /** Why the service could not be reached when it was last tried; null when it answered. */
  fault: string | null;
}

export interface Upstreams extends AsyncDisposable {
  readonly of: Readonly<Record<ServiceName, Upstream>>;
  /** Tries each service once, so that `fault` is of now. Never throws. */
  probe(): Promise<void>;
}

/** Connections kept to one service: as many requests as a service's process works on at once. */
const connections = 256;
/** A service answers this at once or is as good as away. */
const probeMs = 1_000;

/** Opens a pool of kept-alive connections to each service. Nothing is connected before it is needed. */
export function openUpstreams(urls: Readonly<Record<ServiceName, string>>, timeoutMs: number): Upstreams {
  const upstreams = services.map(
    (service): Upstream => ({
      service,
      // Waiting for an answer to begin is timed by the forwarding, which knows when the request was complete.
      pool: new Pool(urls[service], { connections, pipelining: 1, connectTimeout: timeoutMs, headersTimeout: 0, bodyTimeout: timeoutMs }),
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
      await Promise.all(upstreams.map(({ pool }) => pool.destroy()));
    },
  };
}

async function probe(upstream: Upstream): Promise<void> {
  try {
    const { body } = await upstream.pool.request({ method: 'GET', path: '/livez', signal: AbortSignal.timeout(probeMs) });
    await body.dump();
    upstream.fault = null;
  } catch (error) {
    upstream.fault = faultOf(error);
  }
}

/** The code of a network fault: it names no address. */
export function faultOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'failed';
}
