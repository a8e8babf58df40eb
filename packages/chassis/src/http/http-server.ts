import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '@corner/contracts';
import { breachOf, closingResponse, problemOfParser, respondOnWire } from './broken-request.ts';

export interface ListeningServer {
  readonly url: string;
  readonly port: number;
  drain(): Promise<void>;
}

/**
 * `keepAliveMs` must exceed that of the proxies in front. `stallMs` limits the time without a byte in either direction during a request:
 * its caller does not read. `headers` are for responses that are sent without a parsed request.
 */
export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly fd?: number | undefined;
  readonly graceMs?: number;
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly keepAliveMs?: number;
  readonly stallMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly newId?: () => string;
}

const maxHeaderBytes = 16 * 1024;

/**
 * Starts an HTTP server for callers that may be slow, hostile or broken: a request that is late, too large or ambiguous gets 408, 431 or
 * 400.
 */
export async function listenHttp(listener: RequestListener, options: HttpServerOptions): Promise<ListeningServer> {
  const { host, port, fd, graceMs = 6_000, headersTimeoutMs = 10_000, requestTimeoutMs = 30_000 } = options;
  const distrusted: Distrusted = new WeakSet();
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      // Both limits above are checked this often: with Node's default of 30 s, ten seconds could become forty.
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs / 2),
      keepAliveTimeout: options.keepAliveMs ?? 65_000,
      requireHostHeader: false,
    },
    refuseBreaches(listener, distrusted, options),
  );
  refuseUnserved(server, options);
  // breachOf checks the count: Node would silently drop the headers beyond it.
  server.maxHeadersCount = 0;
  server.timeout = options.stallMs ?? 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(fd === undefined ? { port, host } : { fd }, resolve);
  });
  respondToUnreadable(server, distrusted, options);
  const address = server.address() as AddressInfo;
  const shownHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return { url: `http://${shownHost}:${address.port}`, port: address.port, drain: () => drain(server, graceMs) };
}

type Refusing = Pick<HttpServerOptions, 'headers' | 'newId'>;

type Distrusted = WeakSet<object>;

function refuseBreaches(listener: RequestListener, distrusted: Distrusted, { headers, newId = randomUUID }: Refusing): RequestListener {
  return (request, response) => {
    if (distrusted.has(request.socket)) return;
    const breach = breachOf(request);
    if (!breach) return listener(request, response);
    distrusted.add(request.socket);
    const { body, ...closing } = closingResponse(breach, newId(), headers);
    response.writeHead(breach.status, closing.headers).end(body);
  };
}

/** Node would send a 417 without a body, and close the connection of a CONNECT. */
function refuseUnserved(server: Server, { headers, newId = randomUUID }: Refusing): void {
  server.on('checkExpectation', (_request, response) => {
    const { body, ...closing } = closingResponse(new Problem('EXPECTATION_FAILED'), newId(), headers);
    response.writeHead(417, closing.headers).end(body);
  });
  server.on('connect', (_request, wire) => {
    wire.on('error', () => {}); // The caller may be gone before it has read the response.
    const problem = new Problem('METHOD_NOT_ALLOWED', {
      message: 'No tunnel is opened here.',
      headers: { Allow: 'GET, POST, PATCH, DELETE' },
    });
    respondOnWire(wire, problem, newId(), headers);
  });
}

function respondToUnreadable(server: Server, distrusted: Distrusted, { headers, newId = randomUUID }: Refusing): void {
  const newest = new WeakMap<object, { readonly request: IncomingMessage; readonly response: ServerResponse }>();
  server.on('request', (request, response) => newest.set(request.socket, { request, response }));
  server.on('clientError', (error, socket) => {
    if (distrusted.has(socket)) return;
    distrusted.add(socket);
    const problem = problemOfParser(error);
    const refuse = () => {
      if (problem && (socket as Socket).writable) respondOnWire(socket, problem, newId(), headers);
      else socket.destroy();
    };
    const { request, response } = newest.get(socket) ?? {};
    if (!response || response.writableFinished) refuse();
    // A whole request came before the bytes: it gets its own response first. Bytes of the body of a request whose response has begun get
    // none: a second response would be taken for a part of the first.
    else if (request?.complete && problem) response.once('finish', refuse);
    else if (response.headersSent) socket.destroy();
    else refuse();
  });
}

async function drain(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Kept-alive connections become idle one by one, as their last response ends. After the grace, a caller that has not sent its request or
  // read its response would delay the rest of the stop.
  const ended = new AbortController();
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
