import { stores } from '@corner/sandbox/demo';
import { simulatePrinter } from '@corner/sandbox/printers';
import { beforeAll, expect, test } from '@jest/globals';
import { basket, newShopper, payAndConfirm } from '../testing/order-scenario.ts';
import { recordingClient } from '../testing/recording-client.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await sharedEnvironment();
});

test('an order that is paid comes out of the kitchen’s printer once, through the gateway', async () => {
  const { system, history } = environment;
  const { customer, merchant, key } = await newShopper(system);
  const store_id = stores.coffee.id;
  const client = (token: string) => recordingClient(system.gatewayUrl, history, { operation: 'print', token, traceId: undefined, key });
  const { data: added } = await client(merchant).POST('/api/v1/orders/stores/{store_id}/printers', {
    params: { path: { store_id } },
    body: { name: 'Kitchen' },
  });
  const printer = simulatePrinter({ url: system.gatewayUrl + added.url_path, printWidth: 72, codePages: 'utf-8' });
  expect(await printer.poll()).toEqual({ jobReady: false });
  const { data: order } = await client(customer).POST('/api/v1/orders', { body: basket(key) });
  await payAndConfirm(environment, client(customer), store_id, order);
  while ((await printer.poll())?.jobReady) expect(printer.printed.length).toBeLessThan(50);
  const mine = printer.printed.filter(({ lines }) => lines[0]?.text === order.order_number);
  expect(mine.map(({ text }) => text)).toEqual([expect.stringMatching(/ 1 x Flat white\n 1 x Croissant\n[\s\S]*PAID$/)]);
  expect((await fetch(`${system.gatewayUrl}/printers/none`, { method: 'POST', body: '{"statusCode": "200"}' })).status).toBe(404);
});
