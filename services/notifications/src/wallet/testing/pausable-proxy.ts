import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * An HTTP proxy that can be paused: requests wait, and are forwarded unchanged when it resumes. `target` is set before the first request. A
 * request whose path contains `missing` gets a 404; null for none.
 */
export interface PausableProxy extends AsyncDisposable {
  readonly url: string;
  target: string;
  paused: Promise<void>;
  missing: string | null;
  readonly forwarded: string[];
}

export async function startPausableProxy(): Promise<PausableProxy> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    await proxy.paused;
    if (proxy.missing !== null && request.url?.includes(proxy.missing)) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    proxy.forwarded.push(`${request.method} ${request.url}`);
    const { authorization = '' } = request.headers;
    const forwarded = await fetch(`${proxy.target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': 'application/json' },
      body: body.length === 0 ? null : body,
    });
    response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(await forwarded.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: PausableProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    paused: Promise.resolve(),
    missing: null,
    forwarded: [],
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return proxy;
}
