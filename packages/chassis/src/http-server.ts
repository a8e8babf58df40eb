import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface ListeningServer {
  readonly url: string;
  readonly port: number;
  /** Stops taking connections, lets what is under way finish, then closes. */
  drain(): Promise<void>;
}

/** Listens with timeouts that outlive a proxy's kept-alive connections and never leave a slow sender hanging. */
export async function listenHttp(
  listener: RequestListener,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<ListeningServer> {
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 10_000, requestTimeout: 30_000 }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const shownHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return { url: `http://${shownHost}:${address.port}`, port: address.port, drain: () => drain(server) };
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Kept-alive connections fall idle one by one as their last answer ends.
  const ended = new AbortController();
  void closed.then(() => ended.abort());
  while (!ended.signal.aborted) {
    server.closeIdleConnections();
    await pause(20, undefined, { signal: ended.signal }).catch(() => {});
  }
}
