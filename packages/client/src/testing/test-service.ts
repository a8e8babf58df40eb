import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An HTTP server in place of a service. The test decides how it responds. */
export interface TestService extends AsyncDisposable {
  readonly url: string;
  readonly received: ReceivedRequest[];
  respond: (response: ServerResponse, nth: number, received: ReceivedRequest) => void | Promise<void>;
}

export async function startTestService(respond: TestService['respond'] = (response) => json(response, 200, {})): Promise<TestService> {
  const server = createServer(async (request, response) => {
    // The gateway calls these at any time.
    if (request.url === '/livez' || request.url === '/readyz') return void response.end('{}');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const receivedRequest = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    await service.respond(response, service.received.push(receivedRequest), receivedRequest);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: TestService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    respond,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return service;
}

/** Sends a JSON response. */
export function json(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export const respondWithError = (
  response: ServerResponse,
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): void => json(response, status, { error: { code, message: `message of ${code}`, requestId: 'req-1' } }, headers);
