import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A service stood in for by a real HTTP server, that answers as a test tells it to. */
export interface TestUpstream extends AsyncDisposable {
  readonly url: string;
  /** Requests seen, in order. */
  readonly seen: readonly IncomingMessage[];
  /** Connections taken, in order. */
  readonly sockets: readonly Socket[];
  /** What it does with a request; replace it at will. */
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
}

export async function startUpstream(answer: TestUpstream['answer'] = plain): Promise<TestUpstream> {
  const seen: IncomingMessage[] = [];
  const sockets: Socket[] = [];
  const listener: RequestListener = (request, response) => {
    // Looks of the gateway's own readiness are no traffic.
    if (request.url === '/livez') return void response.end('{}');
    seen.push(request);
    void upstream.answer(request, response);
  };
  const server = createServer({ keepAliveTimeout: 65_000 }, listener);
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: TestUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    sockets,
    answer,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return upstream;
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function plain(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await bodyOf(request);
  response.setHeader('content-type', 'application/json').end('{"ok":true}');
}

/** An address nobody listens at. */
export async function deadAddress(): Promise<string> {
  const upstream = await startUpstream();
  await upstream[Symbol.asyncDispose]();
  return upstream.url;
}
