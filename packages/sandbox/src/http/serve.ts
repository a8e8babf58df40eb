import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export interface Place {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly fd?: number | undefined;
  readonly socket?: Server | undefined;
}

export interface HttpServer extends AsyncDisposable {
  readonly port: number;
}

/** Rejects when the port is taken. Disposal ends the connections too. */
export async function serve({ host = '127.0.0.1', port = 0, fd, socket }: Place, handle: RequestListener): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: 65_000 }, handle);
  await once(server.listen(socket ?? (fd === undefined ? { port, host } : { fd })), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A caller that disconnects while sending is not a fault of the simulator. */
export const reportingFaults =
  (handle: Handle): RequestListener =>
  (request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!request.errored) console.error(error);
      response.destroy();
    });
  };
