import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';

export async function startUpstream(respond: TestUpstream['respond'] = respondOk): Promise<TestUpstream> {
  const seen: IncomingMessage[] = [];
  const sockets: Socket[] = [];
  const listener: RequestListener = (request, response) => {
    if (request.url === '/readyz') return void response.end('{}');
    seen.push(request);
    void upstream.respond(request, response);
  };
  const server = createServer({ keepAliveTimeout: 65_000 }, listener);
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: TestUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    sockets,
    respond,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return upstream;
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function respondOk(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await bodyOf(request);
  response.setHeader('content-type', 'application/json').end('{"ok":true}');
}

export async function deadAddress(): Promise<string> {
  const upstream = await startUpstream();
  await upstream[Symbol.asyncDispose]();
  return upstream.url;
}

/** Accepts connections and never responds, as a process that was stopped or a host that is gone. */
export async function startSilent(): Promise<AsyncDisposable & { readonly url: string }> {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

export interface TestUpstream extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly IncomingMessage[];
  readonly sockets: readonly Socket[];
  respond: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
}
