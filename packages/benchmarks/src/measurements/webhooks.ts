import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Finding, quantile, rowsOf } from '../report/figures.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import type { PartOptions } from './part.ts';

const [webhooks, silent] = [10_000, 1_000] as const;

/** An event for each of 10,000 webhooks of as many stores. A tenth of the receivers never respond, which must not delay the others. */
export async function measureWebhooks(bench: BenchSystem, { repetitions, log }: PartOptions): Promise<Finding[]> {
  const { system, database, plain } = bench;
  const arrivals: number[] = [];
  const quick = createServer((request, response) => {
    request.resume();
    arrivals.push(performance.now());
    response.writeHead(204).end();
  });
  const mute = createServer((request) => void request.resume());
  const urls = await Promise.all(
    [quick, mute].map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    }),
  );
  const storeId = plain.stores[0]?.id ?? '';
  const token = await system.tokens.token({ typ: 'merchant', sub: randomUUID(), stores: [storeId] });
  const address = `${system.gatewayUrl}/api/v1/notifications/stores/${storeId}/webhooks`;
  const post = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const response = await fetch(address + path, { method: 'POST', headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { readonly webhook: { readonly id: string } };
  };
  const { webhook } = await post('', { url: null });
  await database.query(
    `insert into notifications.webhook (id, store_id, url, types, description, created_at)
    select gen_random_uuid(), gen_random_uuid(), case when n <= $2 then $4 else $3 end, '{}', '', now() from generate_series(1, $1::int) n`,
    [webhooks, silent, urls[0], urls[1]],
  );
  await database.query('analyze notifications.webhook');
  const rounds: { readonly seconds: number; readonly delays: readonly number[] }[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    arrivals.length = 0;
    await database.query(
      `insert into notifications.waiting_event (store_id, event_id, type, version, object, at, data)
      select store_id, gen_random_uuid(), 'order.paid', 1, id::text, now(), jsonb_build_object('order_id', id, 'total_pence', 1250)
      from notifications.webhook where url is not null`,
    );
    const began = performance.now();
    await post(`/${webhook.id}/test`);
    while (arrivals.length < webhooks - silent) await new Promise((resolve) => setTimeout(resolve, 10));
    const delays = arrivals.map((at) => at - began);
    rounds.push({ seconds: Math.max(...delays) / 1000, delays });
    log(`webhooks ${repetition}/${repetitions}: ${((webhooks - silent) / Math.max(...delays) / 0.001).toFixed(0)} events a second`);
  }
  await database.query(`update notifications.webhook set ended_at = now(), due_at = null where ended_at is null`);
  for (const server of [quick, mute]) {
    server.closeAllConnections();
    server.close();
  }
  const row = rowsOf(rounds, `an event at ${webhooks} webhooks, ${silent} of them silent: `);
  return [
    row('delivered a second', 'events', 'more', ({ seconds }) => (webhooks - silent) / seconds),
    row('p99 until it is delivered', 's', 'less', ({ delays }) => quantile(delays, 0.99) / 1000),
  ];
}
