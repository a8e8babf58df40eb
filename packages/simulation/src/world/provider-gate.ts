import { createHash } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { currentLogFields, type Turns } from '@corner/chassis/host';

const ofConnection = ['connection', 'content-length', 'content-encoding', 'host', 'keep-alive', 'transfer-encoding'];

// Calls to the provider do not name the call of ours that made them. A call that is not named here only lacks a name in the history.
subscribe('http.client.request.created', (message) => {
  const { request } = message as { readonly request: ClientRequest };
  const { request_id } = currentLogFields();
  if (request_id && !request.headersSent) request.setHeader('X-Request-Id', request_id);
});

export async function gateProvider(url: string, turns: Turns): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const detail = createHash('md5').update(body).digest('hex');
    const call = request.headers['x-request-id'];
    const by = { request_id: `${request.method} ${request.url?.split('?')[0]}${call ? ` of ${call}` : ''}`, detail };
    const { status, headers, content } = await turns.take(() => pass(url, request, body), by);
    response.writeHead(status, headers).end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function pass(url: string, { method = 'GET', url: path = '/', headers }: IncomingMessage, body: Buffer) {
  const sent = Object.entries(headers).filter(([name, value]) => typeof value === 'string' && !ofConnection.includes(name));
  const response = await fetch(`${url}${path}`, {
    method,
    headers: Object.fromEntries(sent) as Record<string, string>,
    ...(body.length > 0 ? { body } : {}),
  });
  const content = Buffer.from(await response.arrayBuffer());
  const received = [...response.headers].filter(([name]) => !ofConnection.includes(name));
  return { status: response.status, headers: Object.fromEntries(received), content };
}
