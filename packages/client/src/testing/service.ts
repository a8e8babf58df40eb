import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as a service sees it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real HTTP server that stands where a service does and answers as the test says. */
export interface TestService extends AsyncDisposable {
  readonly url: string;
  readonly seen: Seen[];
  /** Replaceable at will. `nth` counts the requests from 1. */
  answer: (response: ServerResponse, nth: number, seen: Seen) => void | Promise<void>;
}

export async function startService(answer: TestService['answer'] = (response) => json(response, 200, {})): Promise<TestService> {
  const server = createServer(async (request, response) => {
    if (request.url === '/livez') return void response.end('{}');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    await service.answer(response, service.seen.push(seen), seen);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: TestService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    answer,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return service;
}

/** Answers JSON. */
export function json(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Answers a refusal in the one shape. */
export const refuse = (response: ServerResponse, status: number, code: string, headers: Readonly<Record<string, string>> = {}): void =>
  json(response, status, { error: { code, message: `said ${code}`, requestId: 'req-1' } }, headers);
