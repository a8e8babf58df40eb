import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface ListeningServer {
  readonly url: string;
  readonly port: number;
  /** Stops taking connections, lets what is under way finish for as long as the grace lasts, then closes. */
  drain(): Promise<void>;
}

/** Listens with timeouts that outlive a proxy's kept-alive connections and never leave a slow sender hanging. */
export async function listenHttp(
  listener: RequestListener,
  { host, port, graceMs = 6_000 }: { readonly host: string; readonly port: number; readonly graceMs?: number },
): Promise<ListeningServer> {
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 10_000, requestTimeout: 30_000 }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const shownHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return { url: `http://${shownHost}:${address.port}`, port: address.port, drain: () => drain(server, graceMs) };
}

async function drain(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Kept-alive connections fall idle one by one as their last answer ends.
  const ended = new AbortController();
  // Whoever has not sent its request or taken its answer by then keeps the rest of the stop from its time.
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  void closed.then(() => {
    clearTimeout(grace);
    ended.abort();
  });
  while (!ended.signal.aborted) {
    server.closeIdleConnections();
    await pause(20, undefined, { signal: ended.signal }).catch(() => {});
  }
}
