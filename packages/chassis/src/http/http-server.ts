import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answerOf, breachOf, problemOfParser, respondOnWire } from './broken-request.ts';

export interface ListeningServer {
  readonly url: string;
  readonly port: number;
  /** Stops taking connections, lets what is under way finish for as long as the grace lasts, then closes. */
  drain(): Promise<void>;
}

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  /** Milliseconds that what is under way is given when draining. */
  readonly graceMs?: number;
  /** Milliseconds in which a request's headers, and the whole of it, have to have come. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** Milliseconds an idle connection is kept: longer than the proxies before it keep theirs. */
  readonly keepAliveMs?: number;
  /** Milliseconds without a byte in either direction after which a request under way is given up: its caller does not read. */
  readonly stallMs?: number;
  /** Headers of every answer that no request came to, as when its headers were too slow. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly newId?: () => string;
}

const mostHeaderBytes = 16 * 1024;

/**
 * Listens for callers who may be slow, hostile or broken: whatever does not come in time, is too large, or could be read
 * in two ways is answered 408, 431 or 400 in the one shape, and its connection closed.
 */
export async function listenHttp(listener: RequestListener, options: HttpServerOptions): Promise<ListeningServer> {
  const { host, port, graceMs = 6_000, headersTimeoutMs = 10_000, requestTimeoutMs = 30_000 } = options;
  const distrusted: Distrusted = new WeakSet();
  const server = createServer(
    {
      maxHeaderSize: mostHeaderBytes,
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      // The two above are enforced only as often as this: Node's own half minute would make ten seconds forty.
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs / 2),
      keepAliveTimeout: options.keepAliveMs ?? 65_000,
      requireHostHeader: false,
    },
    refuseBreaches(listener, distrusted, options),
  );
  // The count is checked by ourselves: Node would silently leave out those beyond it.
  server.maxHeadersCount = 0;
  server.timeout = options.stallMs ?? 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  respondUnreadable(server, distrusted, options);
  const address = server.address() as AddressInfo;
  const shownHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return { url: `http://${shownHost}:${address.port}`, port: address.port, drain: () => drain(server, graceMs) };
}

type Refusing = Pick<HttpServerOptions, 'headers' | 'newId'>;

/** Connections on which a request was refused for what it is: nothing that follows on them is believed to be one. */
type Distrusted = WeakSet<object>;

function refuseBreaches(listener: RequestListener, distrusted: Distrusted, { headers, newId = randomUUID }: Refusing): RequestListener {
  return (request, response) => {
    if (distrusted.has(request.socket)) return;
    const breach = breachOf(request);
    if (!breach) return listener(request, response);
    distrusted.add(request.socket);
    const { body, ...answer } = answerOf(breach, newId(), headers);
    response.writeHead(breach.status, answer.headers).end(body);
  };
}

/** Answers what never became a request, and bodies that stopped coming. */
function respondUnreadable(server: Server, distrusted: Distrusted, { headers, newId = randomUUID }: Refusing): void {
  const underway = new WeakMap<object, ServerResponse>();
  server.on('request', (request, response) => underway.set(request.socket, response));
  server.on('clientError', (error, socket) => {
    if (distrusted.has(socket)) return;
    distrusted.add(socket);
    const problem = problemOfParser(error);
    const response = underway.get(socket);
    // Within an answer already begun, another would be taken for a part of it.
    const midResponse = response?.headersSent === true && !response.writableFinished;
    if (problem && (socket as Socket).writable && !midResponse) respondOnWire(socket, problem, newId(), headers);
    else socket.destroy();
  });
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
