import { randomUUID } from 'node:crypto';
import { directoryMenu, directorySlots } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiResponse, customer, pay, worker } from '../testing/callers.ts';
import { expireOverdue } from '../testing/counts.ts';
import { type Draw, randomly } from '../testing/randomly.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { miscounted } from '../testing/whole-store.ts';
import { saveMenu } from '../transactions/save-menu.ts';
import { saveSlots } from '../transactions/save-slots.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const goods = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id, price_pence: 300, stock: 40 }));

test('concurrent mixed orders, cancellations, refunds, expiries and snapshots all succeed, and every count matches its holds', async () => {
  const at = (hours: number) => new Date(running.clock.now().getTime() + hours * 3_600_000).toISOString();
  const slots = [2, 3, 4].map((hour) => ({ id: randomUUID(), starts_at: at(hour), ends_at: at(hour + 1), capacity: 25 }));
  const promos = [{ id: randomUUID(), code: 'SPRING', kind: 'percent' as const, value: 10, max_uses: 30 }];
  const store = await running.openStore({}, goods, slots, promos);
  const ben = worker(running, store);
  const responses: ApiResponse[] = [];
  const checked = (response: ApiResponse) => {
    responses.push(response);
    return response;
  };

  const group = (draw: Draw) => ({
    role: 'collect',
    items: Array.from({ length: draw(1, 3) }, () => ({ menu_item_id: goods[draw(0, 3)]?.id, quantity: draw(1, 2) })),
    slot_id: slots[draw(0, 2)]?.id,
  });
  const live = async (draw: Draw) => {
    const ada = customer(running);
    const request = {
      items: [],
      fulfilment_groups: Array.from({ length: draw(1, 3) }, () => group(draw)),
      promo_code: draw(0, 1) ? 'SPRING' : null,
    };
    const { status, body } = checked(await ada.create(store, request));
    if (status !== 200) return;
    if (draw(0, 1)) {
      await pay(running, body.payment_intent_id);
      checked(await ada.confirm(store, body.payment_intent_id));
      if (draw(0, 1)) checked(await ben.refund(body.order_id));
    }
    const cancel = { store_id: store.id, status: 'cancelled' };
    if (draw(0, 1)) checked(await ben.call('PATCH', `/api/v1/orders/${body.order_id}/status`, cancel));
  };
  const saveSnapshots = async (version: number) =>
    await running.service.database.transaction(async (tx) => {
      const snapshot = { version, store_id: store.id };
      await saveSlots(tx, directorySlots.data.parse({ ...snapshot, slots: slots.map((slot) => ({ ...slot, capacity: 10 + version })) }));
      await saveMenu(tx, directoryMenu.data.parse({ ...snapshot, items: goods, promos }));
    });

  await Promise.all([...[...randomly(60)].map(live), ...[2, 3, 4, 5].map(saveSnapshots)]);
  expect(responses.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([]);
  expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(40);
  expect(await miscounted(running)).toEqual([]);
  await Promise.all([expireOverdue(running), ...[6, 7].map(saveSnapshots)]);
  expect(await miscounted(running)).toEqual([]);
});
