import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { logOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { addKitchenPrinter, printAll, ticketsOf } from './testing/kitchen.ts';

let running: Running;
let store: OpenStore;
beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const again = (at: OpenStore, orderId: string, body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  worker(running, at).call('POST', `/api/v1/orders/${orderId}/ticket`, { store_id: at.id, ...body }, headers);

async function printedOrder() {
  const own = await running.openStore();
  const [bar, kitchen] = [await addKitchenPrinter(running, own), await addKitchenPrinter(running, own)];
  const { order_id: orderId } = await customer(running).paid(own);
  await printAll(bar);
  await printAll(kitchen);
  return { own, bar, kitchen, orderId };
}

describe('printing a ticket again', () => {
  test('prints a numbered copy at each printer, and is in the order’s log', async () => {
    const { own, bar, kitchen, orderId } = await printedOrder();
    const { status, body } = await again(own, orderId);
    expect([status, body]).toEqual([200, { tickets: [bar.id, kitchen.id].toSorted().map((printer_id) => ({ printer_id, copy: 1 })) }]);
    expect(await printAll(bar)).toEqual([expect.stringMatching(/^COPY 1\n/)]);
    expect(await printAll(kitchen)).toEqual([expect.stringMatching(/^COPY 1\n/)]);
    expect(await printAll(kitchen)).toEqual([]);
    expect(await logOf(running, orderId)).toContain('ticket_copied');
  });

  test('prints at the printer that is named alone, and counts its copies', async () => {
    const { own, bar, kitchen, orderId } = await printedOrder();
    for (const copy of [1, 2])
      expect((await again(own, orderId, { printer_id: bar.id })).body).toEqual({ tickets: [{ printer_id: bar.id, copy }] });
    expect(await printAll(bar)).toEqual([expect.stringContaining('COPY 1'), expect.stringContaining('COPY 2')]);
    expect(await printAll(kitchen)).toEqual([]);
  });

  test('under one Idempotency-Key is one copy, and two at once without a key are two', async () => {
    const { own, bar, orderId } = await printedOrder();
    const headers = { 'Idempotency-Key': randomUUID() };
    const staff = worker(running, own);
    const send = () => staff.call('POST', `/api/v1/orders/${orderId}/ticket`, { store_id: own.id, printer_id: bar.id }, headers);
    expect((await send()).body).toEqual((await send()).body);
    await Promise.all([again(own, orderId, { printer_id: bar.id }), again(own, orderId, { printer_id: bar.id })]);
    expect((await ticketsOf(running, bar.id)).map(({ copy }) => copy)).toEqual([0, 1, 2, 3]);
  });

  test('prints an order that has ended, and says when it is cancelled', async () => {
    const { own, bar, orderId } = await printedOrder();
    await worker(running, own).call('PATCH', `/api/v1/orders/${orderId}/status`, { store_id: own.id, status: 'cancelled' });
    await printAll(bar);
    await again(own, orderId, { printer_id: bar.id });
    expect(await printAll(bar)).toEqual([expect.stringMatching(/CANCELLED.*\nCOPY 1\n/)]);
  });
});

describe('printing a ticket again is refused', () => {
  test('for an order of another store, an unknown one and one that is not paid', async () => {
    await addKitchenPrinter(running, store);
    const { order_id: foreign } = await customer(running).paid(await running.openStore());
    expect(codeOf(await again(store, foreign))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(codeOf(await again(store, randomUUID()))).toEqual([404, 'ORDER_NOT_FOUND']);
    const { body: unpaid } = await customer(running).create(store);
    expect(codeOf(await again(store, unpaid.order_id))).toEqual([409, 'ORDER_NOT_PAID']);
  });

  test('at a store without a printer, and for a printer of another store', async () => {
    const { own, orderId } = await printedOrder();
    const other = await addKitchenPrinter(running, store);
    expect(codeOf(await again(own, orderId, { printer_id: other.id }))).toEqual([404, 'PRINTER_NOT_FOUND']);
    const bare = await running.openStore();
    const { order_id } = await customer(running).paid(bare);
    expect(codeOf(await again(bare, order_id))).toEqual([404, 'PRINTER_NOT_FOUND']);
  });

  test('with ids that are none, with a token of another store, and for a customer', async () => {
    const { own, orderId } = await printedOrder();
    expect(codeOf(await again(own, 'S1-1'))).toEqual([400, 'VALIDATION_FAILED']);
    expect(codeOf(await again(own, orderId, { printer_id: 'bar' }))).toEqual([400, 'VALIDATION_FAILED']);
    const path = `/api/v1/orders/${orderId}/ticket`;
    expect(codeOf(await worker(running, store).call('POST', path, { store_id: own.id }))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(codeOf(await customer(running).call('POST', path, { store_id: own.id }))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});
