import { type Caller, derivedUuid, type Operation } from '@corner/chassis';
import type { orders } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { expectedPence } from '../rules.ts';
import { type DrawerRow, listDrawersOf } from '../tables/drawers.ts';
import { countDrawer, openDrawer as open, payOut } from '../transactions/drawers.ts';

export const openDrawer: Operation<typeof orders.openDrawer, Context> = async ({ caller, body, idempotencyKey }, context) => {
  const request = { ...requestOf('open', body.store_id, caller, idempotencyKey, context), floatPence: body.float_pence };
  return { drawer: drawerView(await context.database.transaction((tx) => open(tx, request))) };
};

export const payOutOfDrawer: Operation<typeof orders.payOutOfDrawer, Context> = async ({ caller, body, idempotencyKey }, context) => {
  const { store_id, amount_pence: amountPence, reason } = body;
  const request = { ...requestOf('pay-out', store_id, caller, idempotencyKey, context), amountPence, reason };
  return { drawer: drawerView(await context.database.transaction((tx) => payOut(tx, request))) };
};

export const closeDrawer: Operation<typeof orders.closeDrawer, Context> = async ({ caller, body, idempotencyKey }, context) => {
  const { store_id, counted_pence: countedPence, note } = body;
  const request = { ...requestOf('close', store_id, caller, idempotencyKey, context), countedPence, note: note || null };
  return { drawer: drawerView(await context.database.transaction((tx) => countDrawer(tx, request))) };
};

export const listDrawers: Operation<typeof orders.listDrawers, Context> = async ({ query }, { database }) => {
  const { store_id: storeId, limit, before = null } = query;
  const drawers = await listDrawersOf(database, { storeId, limit, before });
  return { drawers: drawers.map(drawerView) };
};

const requestOf = (what: string, storeId: string, { type, id, name }: Caller, key: string | undefined, { newId }: Context) => ({
  storeId,
  by: { id, name },
  key: key === undefined ? newId() : derivedUuid(`drawer ${what}:${storeId}:${type}:${id}:${key}`),
});

const drawerView = (drawer: DrawerRow) => ({
  id: drawer.id,
  opened_at: drawer.opened_at,
  opened_by: { id: drawer.opened_by_id, name: drawer.opened_by_name },
  closed_at: drawer.closed_at,
  closed_by: drawer.closed_by_id === null ? null : { id: drawer.closed_by_id, name: drawer.closed_by_name },
  float_pence: drawer.float_pence,
  cash_taken_pence: drawer.cash_taken_pence,
  cash_refunded_pence: drawer.cash_refunded_pence,
  paid_out_pence: drawer.paid_out_pence,
  expected_pence: expectedPence(drawer),
  counted_pence: drawer.counted_pence,
  difference_pence: drawer.difference_pence,
  note: drawer.note,
  pay_outs: drawer.pay_outs,
});
