import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A way to a far side that can be held shut: what comes meanwhile waits, and goes through unchanged when it opens. */
export interface HeldDoor extends AsyncDisposable {
  readonly url: string;
  /** Where it leads to; set before the first request. */
  target: string;
  /** Awaited before a request goes on. */
  holding: Promise<void>;
  /** Requests to addresses that hold this are answered 404 on the way; none when null. */
  missing: string | null;
  /** What went through: method and address. */
  readonly passed: string[];
}

export async function startHeldDoor(): Promise<HeldDoor> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    await door.holding;
    if (door.missing !== null && request.url?.includes(door.missing)) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    door.passed.push(`${request.method} ${request.url}`);
    const { authorization = '' } = request.headers;
    const answer = await fetch(`${door.target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': 'application/json' },
      body: body.length === 0 ? null : body,
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const door: HeldDoor = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    holding: Promise.resolve(),
    missing: null,
    passed: [],
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return door;
}
