import { randomUUID } from 'node:crypto';
import type { ProblemCode } from '@corner/contracts';
import { people, stores } from '@corner/sandbox/demo';
import { type RefusalRun, unknownId } from './refusal-run.ts';

const line = (menu_item_id: string, quantity = 1) => ({ items: [{ menu_item_id, quantity }] });
const at = ({ id, code }: { readonly id: string; readonly code: string }) => ({ store_id: id, store_code: code });

const scheduled = { collection_mode: 'scheduled' };

/** At a store that makes one item in a quarter of an hour. */
export const basketsOfPace = (stores: RefusalRun['stores']) =>
  [
    ['NO_CAPACITY_TODAY', { ...at(stores.paced), ...line('croissant', 99) }],
    ['READY_LATER', { ...at(stores.paced), ...line('croissant', 2), expected_ready_from: '2020-01-01T09:00:00Z' }],
  ] as const;

/** Baskets that name no store are at the demo's coffee bar. */
export const basketsRefused = (stores: RefusalRun['stores']) =>
  [
    ['STORE_CODE_MISMATCH', { store_code: 'S2' }],
    ['ITEM_NOT_FOUND', line('pumpkin-latte')],
    ['CHOICES_INVALID', { items: [{ menu_item_id: 'flat-white', quantity: 1, choices: ['whole-milk', 'oat-milk'] }] }],
    ['PRICE_CHANGED', { ...line('croissant'), expected_total_pence: 280 }],
    ['OUT_OF_STOCK', line('last-cinnamon-bun', 2)],
    ...basketsOfPace(stores),
    ['SLOT_NOT_FOUND', { ...scheduled, slot_id: unknownId }],
    ['GROUPS_MISMATCH', { fulfilment_groups: [{ role: 'now', ...line('espresso') }] }],
    ['PROMO_INVALID', { promo_code: 'NOPE' }],
    ['PROMO_NOT_APPLICABLE', { promo_code: 'ONEOFF', ...line('croissant') }],
    ['PROMO_EXPIRED', { ...at(stores.shop), promo_code: 'LASTYEAR' }],
    ['VOUCHER_NOT_FOUND', { voucher_id: unknownId }],
    ['AMOUNT_BELOW_MINIMUM', { ...at(stores.shop), ...line('penny-sweet') }],
    ['STORE_CLOSED', at(stores.closed)],
    ['STORE_NOT_ACCEPTING_ORDERS', at(stores.dark)],
  ] as const;

export async function refuseOrders({ refused, done, stores }: RefusalRun): Promise<void> {
  for (const [code, other] of basketsRefused(stores)) await refused('createOrder', code, { with: other });
  const key = { idempotency_key: randomUUID() };
  await done('createOrder', { with: key });
  await refused('createOrder', 'IDEMPOTENCY_KEY_REUSED', { with: { ...key, ...line('espresso') } });
  await done('createOrder', { with: { ...at(stores.shop), promo_code: 'ONCE' } });
  await refused('createOrder', 'PROMO_LIMIT_REACHED', { with: { ...at(stores.shop), promo_code: 'ONCE' } });
  for (const name of ['listOrders', 'listMyOrders']) await refused(name, 'INVALID_CURSOR', { with: { before: 'yesterday' } });
  await refused('listStoreLog', 'INVALID_CURSOR', { with: { before: '999999999' } });
}

export async function refuseSlots({ refused, done, paidOrder, stores, slots }: RefusalRun): Promise<void> {
  const scheduled = (slot_id: string) => ({ ...at(stores.shop), collection_mode: 'scheduled', slot_id });
  await refused('createOrder', 'SLOT_CLOSED', { with: scheduled(slots.shut) });
  await refused('createOrder', 'SLOT_JUST_FILLED', { with: scheduled(slots.full) });
  const longBefore = { requested_collection_at: new Date().toISOString() };
  await refused('createOrder', 'SLOT_MISMATCH', { with: { ...scheduled(slots.booked), ...longBefore } });
  const { orderId } = await paidOrder({ with: scheduled(slots.booked) });
  const { id: store_id } = stores.shop;
  for (const to_status of ['preparing', 'ready']) await done('advanceFulfilment', { with: { orderId, store_id, to_status } });
  for (const [code, slot_id] of [
    ['NOT_EARLIER', slots.later],
    ['SLOT_JUST_FILLED', slots.full],
    ['SLOT_CLOSED', slots.shut],
    ['SLOT_NOT_FOUND', unknownId],
  ] as const)
    await refused('collectEarlier', code, { with: { store_id, order_id: orderId, slot_id } });
}

const oneFlatWhite = { menu_item_id: 'flat-white', quantity: 1 };

export async function refuseUnpaidOrders({ refused, done }: RefusalRun): Promise<void> {
  const { order_id: orderId, payment_intent_id } = await done('createOrder');
  for (const name of ['advanceFulfilment', 'correctOrder', 'notifyDelay', 'printTicket', 'refundOrder', 'setBusinessStatus'])
    await refused(name, 'ORDER_NOT_PAID', { with: { orderId } });
  await refused('confirmOrder', 'PAYMENT_NOT_SUCCEEDED', { with: { payment_intent_id } });
  const { order_id: mixed } = await done('createOrder', {
    with: { items: [], fulfilment_groups: [{ role: 'collect', items: [oneFlatWhite] }] },
  });
  const { order } = await done('getMyOrder', { with: { orderId: mixed } });
  const [part] = (order as unknown as { children: { order_id: string }[] }).children;
  await refused('cancelMyOrder', 'ORDER_NOT_PAID', { with: { orderId: part?.order_id } });
}

export async function refuseByState({ refused, done, paidOrder }: RefusalRun): Promise<void> {
  const { orderId } = await paidOrder();
  await refused('printTicket', 'PRINTER_NOT_FOUND', { with: { orderId } });
  await refused('notifyDelay', 'INVALID_ETA', { with: { orderId, newReadyAt: '2020-01-01T09:00:00Z' } });
  await refused('collectEarlier', 'ORDER_NOT_READY', { with: { order_id: orderId } });
  await refused('refundOrder', 'REFUND_AMOUNT_EXCEEDS_REMAINING', { with: { orderId, amount_pence: 100_000 } });
  const lines = [{ position: 1, quantity: 99 }];
  await refused('refundOrder', 'REFUND_LINES_EXCEED_REMAINING', { with: { orderId, amount_pence: undefined, lines } });
  await refused('advanceFulfilment', 'INVALID_TRANSITION', { with: { orderId, to_status: 'collected' } });
  await refused('correctOrder', 'INVALID_TRANSITION', { with: { orderId } });
  for (const to_status of ['preparing', 'ready']) await done('advanceFulfilment', { with: { orderId, to_status } });
  await refused('collectEarlier', 'ORDER_HAS_NO_SLOT', { with: { order_id: orderId } });
  await refused('cancelMyOrder', 'TOO_LATE_TO_CANCEL', { with: { orderId } });
  await done('advanceFulfilment', { with: { orderId, to_status: 'collected' } });
  await refused('notifyDelay', 'ORDER_TERMINAL', { with: { orderId } });
  await done('refundOrder', { with: { orderId, amount_pence: undefined } });
  await refused('refundOrder', 'ALREADY_REFUNDED', { with: { orderId } });
  const { orderId: bought } = await paidOrder({ with: { order_type: 'buy_now' } });
  await refused('advanceFulfilment', 'FULFILMENT_NOT_APPLICABLE', { with: { orderId: bought } });
  await done('setBusinessStatus', { with: { orderId: bought, status: 'fulfilled' } });
  await refused('setBusinessStatus', 'INVALID_TRANSITION', { with: { orderId: bought, status: 'cancelled' } });
  await refused('setBusinessStatus', 'NOTE_REQUIRED', { with: { orderId: bought, status: 'ready' } });
}

export async function refuseRefunds(run: RefusalRun): Promise<void> {
  const { refused, done, paidOrder, changeRow } = run;
  const { orderId: old } = await paidOrder();
  await changeRow(`update orders.orders set paid_at = paid_at - interval '100 days' where id = $1`, old);
  await refused('refundOrder', 'REFUND_WINDOW_EXPIRED', { with: { orderId: old } });
  await refusedWithRefund(refused, 'REFUND_WINDOW_EXPIRED', old);
  const { orderId } = await paidOrder();
  for (let pennies = 0; pennies < 20; pennies += 1) await done('refundOrder', { with: { orderId, amount_pence: 1 } });
  await refused('refundOrder', 'REFUND_LIMIT_REACHED', { with: { orderId, amount_pence: 1 } });
  await refusedWithRefund(refused, 'REFUND_LIMIT_REACHED', orderId);
  await refuseAboveLimit(run);
}

async function refuseAboveLimit({ refused, paidOrder, changeRow, environment }: RefusalRun): Promise<void> {
  const { orderId } = await paidOrder();
  const token = await environment.system.tokens.token({ typ: 'staff', sub: people.cy.id, stores: [stores.coffee.id] });
  await changeRow('update orders.store set staff_refund_limit_pence = 100 where id = $1', stores.coffee.id);
  await refused('refundOrder', 'INSUFFICIENT_ROLE', { token, with: { orderId } });
  await refused('setBusinessStatus', 'INSUFFICIENT_ROLE', { token, with: { orderId, status: 'cancelled', refund: true } });
  await refused('advanceFulfilment', 'INSUFFICIENT_ROLE', { token, with: { orderId, to_status: 'cancelled', refund: true } });
  await changeRow('update orders.store set staff_refund_limit_pence = null where id = $1', stores.coffee.id);
}

export async function refusedWithRefund(refused: RefusalRun['refused'], code: ProblemCode, orderId: string): Promise<void> {
  await refused('setBusinessStatus', code, { with: { orderId, status: 'cancelled', refund: true } });
  await refused('advanceFulfilment', code, { with: { orderId, to_status: 'cancelled', refund: true } });
}
