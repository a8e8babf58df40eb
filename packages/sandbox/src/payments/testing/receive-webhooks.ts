import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly body: string;
  readonly signature: string;
  readonly type: string;
  readonly id: string;
}

export async function receiveWebhooks(answer: (received: Received, soFar: number) => number | Promise<number> = () => 200) {
  const received: Received[] = [];
  let arrival = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { id, type } = JSON.parse(body) as Received;
    const one = { body, signature: String(request.headers['stripe-signature']), id, type };
    received.push(one);
    arrival.resolve();
    arrival = Promise.withResolvers<void>();
    response.writeHead(await answer(one, received.length)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`,
    received,
    next: (): Promise<void> => arrival.promise,
    types: () => received.map(({ type }) => type),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
