import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { creditsOf, sumVat } from '../receipts/rules.ts';
import { findReceipts } from '../receipts/tables.ts';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { tillOf } from '../testing/till.ts';

let running: Running;
let store: OpenStore;

const syrup = { id: 'syrup', name: 'Syrup', price_pence: 50, vat: [{ when: 'away' as const, rate_bps: 500 }] };
const items = menu.map((item) =>
  item.id === 'flat-white'
    ? {
        ...item,
        vat_rate_bps: 2_000,
        vat: [{ when: 'away' as const, rate_bps: 0 }],
        options: [{ id: 'with', name: 'With', min: 0, max: 1, choices: [syrup] }],
      }
    : { ...item, vat_rate_bps: 1_000 },
);
const coffee = { items: [{ menu_item_id: 'flat-white', quantity: 1, choices: ['syrup'] }] };

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore({}, items);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const Line = z.object({ vat_rate_bps: z.number().nullable(), vat_parts: z.any() });
const linesOf = (orderId: string) =>
  running.service.database.any(sql.type(Line)`
    select vat_rate_bps, vat_parts from order_line where order_id = ${orderId} order by position`);

describe('the VAT of a sale', () => {
  const cash = { tenders: [{ kind: 'cash' }] };
  const ofAway = {
    vat_rate_bps: 0,
    vat_parts: [
      { rate_bps: 500, unit_pence: 50 },
      { rate_bps: 0, unit_pence: 350 },
    ],
  };

  test('is chosen when it is priced, by whether it is eaten in; the price is the same', async () => {
    const till = tillOf(running, store);
    const inside = await till.sell({ ...coffee, ...cash, eat_in: true });
    const away = await till.sell({ ...coffee, ...cash });
    expect([inside, away].map(({ body }) => [body.order.total_pence, body.order.eat_in])).toEqual([
      [400, true],
      [400, false],
    ]);
    expect(await linesOf(inside.body.order.id)).toEqual([{ vat_rate_bps: 2_000, vat_parts: null }]);
    expect(await linesOf(away.body.order.id)).toEqual([ofAway]);
  });

  test('of a phone’s order too: at a table it is eaten in, collected it is taken away', async () => {
    const ada = customer(running);
    const table = await ada.create(store, { ...coffee, fulfilment: { mode: 'table', table_number: '4' } });
    const collected = await ada.create(store, { ...coffee, order_type: 'collect' });
    expect(await linesOf(table.body.order_id)).toEqual([{ vat_rate_bps: 2_000, vat_parts: null }]);
    expect(await linesOf(collected.body.order_id)).toEqual([ofAway]);
    const impossible = [
      { fulfilment: { mode: 'table', table_number: '4' }, eat_in: false },
      { order_type: 'collect', eat_in: true },
    ];
    for (const sale of impossible) {
      const response = await ada.create(store, { ...coffee, ...sale });
      expect(codeOf(response)).toEqual([400, 'VALIDATION_FAILED']);
      expect(response.body.error.message).toMatch(/^eat_in: /);
    }
  });

  test('is on the invoice, and on the credit note of a line, by the rates that applied; so is it in the report', async () => {
    const own = await running.openStore({}, items);
    const till = tillOf(running, own);
    const { body } = await till.sell({ ...coffee, ...cash });
    const day = running.clock.now().toISOString().slice(0, 10);
    const report = async () =>
      (await worker(running, own, 'merchant').call('GET', `/api/v1/orders/reports?store_id=${own.id}&from=${day}&to=${day}`)).body.total
        .vat;
    const invoice = [
      { rate_bps: 500, net_pence: 48, vat_pence: 2, gross_pence: 50 },
      { rate_bps: 0, net_pence: 350, vat_pence: 0, gross_pence: 350 },
    ];
    expect(await report()).toEqual(invoice);
    await till.refund(body.order.id, { lines: [{ position: 1, quantity: 1 }] });
    const [receipt] = await findReceipts(running.service.database, [body.order.id], { isForPage: false });
    if (!receipt) throw new Error('there is no receipt');
    expect(sumVat(receipt.lines, receipt.discount_pence)).toEqual(invoice);
    expect(creditsOf(receipt, receipt.refunds)).toEqual([{ vat: invoice, tip_pence: 0 }]);
    expect((await report()).every(({ gross_pence }: { gross_pence: number }) => gross_pence === 0)).toBe(true);
  });

  test('of a menu with one rate is as before, eaten in or not', async () => {
    const { body } = await tillOf(running, store).sell({ items: [{ menu_item_id: 'croissant', quantity: 1 }], ...cash, eat_in: true });
    expect(await linesOf(body.order.id)).toEqual([{ vat_rate_bps: 1_000, vat_parts: null }]);
  });
});
