import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { directoryStore, type Envelope, type WebhookPayload, webhookChallenge } from '@corner/contracts';
import { envelopeOf, type FixedClock, fixedClock, until } from '@corner/testkit';
import { Webhook } from 'standardwebhooks';
import { type Running, startRunning } from '../../testing/running.ts';

export interface ReceivedRequest {
  readonly id: string;
  readonly body: string;
  readonly payload: WebhookPayload;
  readonly headers: IncomingMessage['headers'];
}

/** By default it returns challenges and responds 204 to events. */
export async function startReceiver() {
  const requests: ReceivedRequest[] = [];
  const challenges: ReceivedRequest[] = [];
  let agree = (challenge: string, response: ServerResponse): unknown => response.end(challenge);
  let respond: (request: ReceivedRequest, response: ServerResponse) => void = (_, response) => response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const received = { id: String(request.headers['webhook-id']), body, payload: JSON.parse(body), headers: request.headers };
    if (received.payload.type === webhookChallenge.type) {
      challenges.push(received);
      agree((received.payload.data as { challenge: string }).challenge, response);
      return;
    }
    requests.push(received);
    respond(received, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    challenges,
    agree(how: typeof agree) {
      agree = how;
    },
    respond(how: typeof respond) {
      respond = how;
    },
    received: (count: number) =>
      until(async () => (requests.length >= count ? [...requests] : null), { describe: `${count} requests of a webhook` }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Throws unless a request was signed with the secret. The library compares the time with the system's, so the clock must be right. */
export const verify = (secret: string, { body, headers }: ReceivedRequest): unknown => new Webhook(secret).verify(body, headers as never);

export async function startWebhooks() {
  const clock: FixedClock = fixedClock(new Date().toISOString());
  const running: Running = await startRunning({ now: clock.now }, { WEBHOOK_HOSTS: '127.0.0.1' });
  const { service } = running;

  async function publish(...envelopes: readonly Envelope[]): Promise<void> {
    for (const envelope of envelopes) await running.publish(envelope);
    await running.processed(...envelopes);
  }

  async function newStore() {
    const storeId = randomUUID();
    const about = { aggregateId: storeId, storeId };
    await publish(envelopeOf(directoryStore, { id: storeId, version: 1, code: 'S1', name: 'Bea’s Bakery' }, about));
    return storeAs(storeId, 'owner');
  }

  function storeAs(storeId: string, role: 'owner' | 'manager' | 'staff') {
    const person = { typ: 'merchant', sub: randomUUID(), stores: [{ id: storeId, role }] } as const;
    async function call(method: string, path: string, body?: unknown, key: string = randomUUID()) {
      const token = await running.issuer.token(person);
      const response = await fetch(service.url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests read the body as a client would
      return { status: response.status, body: (await response.json()) as any };
    }
    const webhooks = `/api/v1/notifications/stores/${storeId}/webhooks`;
    const read = (path: string, query: Readonly<Record<string, string | number>>) =>
      call('GET', `/api/v1/events${path}?${new URLSearchParams({ store_id: storeId, ...query } as Record<string, string>)}`);
    return {
      storeId,
      call,
      create: (fields: object, key?: string) => call('POST', webhooks, fields, key),
      async webhook(fields: object): Promise<{ readonly id: string; readonly secret: string }> {
        const { status, body } = await call('POST', webhooks, fields);
        if (status !== 200) throw new Error(JSON.stringify(body));
        return { id: body.webhook.id, secret: body.secret };
      },
      list: async () => (await call('GET', webhooks)).body.webhooks,
      of: (id: string, method: string, path = '', body?: unknown, key?: string) => call(method, `${webhooks}/${id}${path}`, body, key),
      events: async (webhook_id: string, after = 0, more = {}) => (await read('', { webhook_id, after, limit: 500, ...more })).body,
      digest: (webhook_id: string, from: number, to: number) => read('/digest', { webhook_id, from, to }),
    };
  }

  return {
    running,
    clock,
    publish,
    newStore,
    storeAs,
    advance(by: Parameters<FixedClock['advance']>[0]) {
      clock.advance(by);
      service.context.webhookSignal.raise();
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
export type Webhooks = Awaited<ReturnType<typeof startWebhooks>>;
export type Store = Awaited<ReturnType<Webhooks['newStore']>>;
