import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { disputedEvent, visitEvent } from './testing/events.ts';
import { addStaff, atCounter } from './testing/multi-stamp.ts';
import { type Running, startRunning } from './testing/running.ts';
import { customerToken, openShop, type Shop, withoutProof } from './testing/shop.ts';
import { fieldsOf, tapOf } from './testing/tags.ts';

const uid = '04A1B2C3D4E5F6';

let running: Running;

let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { ...withoutProof, goal: 2, tags: [{ uid }] });
  // One row of everything that must not exist twice.
  const customer = randomUUID();
  const token = await customerToken(running, customer);
  const order = await shop.pay(customer);
  await running.consume(disputedEvent(order, 3));
  await shop.grant(customer, 'a key');
  const { body } = await shop.post('stamp-codes', { store_id: shop.storeId }, token, { 'idempotency-key': 'another' });
  await shop.post('stamp-codes/redeem', { code: body.code }, token);
  const receipt = { receipt_id: 'one', store_code: shop.storeId, ...fieldsOf(tapOf(uid, 7)) };
  await shop.post('stamps/sync-offline', { stamps: [receipt] }, token);
  await shop.post('stamp-codes', { store_id: shop.storeId, ...fieldsOf(tapOf(uid, 8)) });
  const ana = await atCounter(running, shop, await addStaff(running, shop));
  await ana.request();
  await ana.confirm();
  await ana.request();
  const salon = await openShop(running, { driver: 'visits' });
  await running.consume(visitEvent('completed', { ref: randomUUID(), storeId: salon.storeId, customerId: customer }, 1));
});

afterAll(async () => await running[Symbol.asyncDispose]());

const none = z.object({});

/** The database refuses a second row even when the code does not. `apart`: the columns in which the second row differs. */
test.each([
  ['stamp', 'one_stamp_for_a_place_in_an_order', 'order_id', ['id']],
  ['stamp', 'one_stamp_for_a_grant', 'grant_key', ['id', 'customer_id']],
  ['stamp', 'one_stamp_for_a_code', 'code_id', ['id', 'customer_id']],
  ['stamp', 'one_stamp_for_a_receipt', 'receipt_id', ['id', 'store_id']],
  ['stamp', 'one_stamp_for_a_place_in_a_request', 'request_id', ['id']],
  ['stamp', 'one_stamp_for_a_visit', 'visit_ref', ['id', 'customer_id']],
  ['voucher', 'one_voucher_for_a_code', 'code', ['id', 'completing_stamp_id']],
  ['voucher', 'one_voucher_for_a_stamp', 'completing_stamp_id', ['id', 'store_id']],
  ['nfc_tap', 'nfc_tap_pkey', 'counter', []],
  ['stamp_code', 'one_code_for_a_hash', 'idempotency_key_hash', ['id', 'idempotency_key_hash']],
  ['stamp_code', 'one_code_for_a_key', 'idempotency_key_hash', ['id', 'hash']],
  ['stamp_code', 'one_code_for_a_tap', 'tag_uid', ['id', 'hash']],
  ['order_ledger', 'order_ledger_pkey', 'order_id', ['customer_id']],
  ['visit', 'visit_pkey', 'ref', ['customer_id']],
  ['card', 'card_pkey', 'customer_id', []],
  ['dispute', 'dispute_pkey', 'dispute_id', []],
])('the table %s enforces the constraint %s', async (table, constraint, present, apart) => {
  const other = Object.fromEntries(
    apart.map((column) => [column, ['hash', 'idempotency_key_hash'].includes(column) ? '\\x00' : randomUUID()]),
  );
  const named = sql.identifier([table]);
  const second = running.service.database.query(sql.type(none)`
    insert into ${named} select (jsonb_populate_record(r, ${sql.jsonb(other)})).* from ${named} r
    where ${sql.identifier(['r', present])} is not null limit 1`);
  await expect(second).rejects.toMatchObject({ constraint });
});

test('the table multi_stamp_request enforces the constraint one_pending_multi_stamp', async () => {
  const second = running.service.database.query(sql.type(none)`
    insert into multi_stamp_request select (jsonb_populate_record(r, ${sql.jsonb({ id: randomUUID() })})).*
    from multi_stamp_request r where status = 'pending'`);
  await expect(second).rejects.toMatchObject({ constraint: 'one_pending_multi_stamp' });
});

test.each([
  ['card', 'card_debt_check', 'debt', -1],
  ['voucher', 'voucher_status_check', 'status', 'lost'],
  ['stamp', 'stamp_status_check', 'status', 'lost'],
  ['dispute', 'dispute_state_check', 'state', 'open'],
  ['programme', 'programme_goal_check', 'goal', 0],
  ['order_ledger', 'order_ledger_refunded_pence_check', 'refunded_pence', -1],
  ['multi_stamp_request', 'multi_stamp_request_requested_stamps_check', 'requested_stamps', 0],
  ['multi_stamp_request', 'resolved_when_no_longer_pending', 'resolved_at', null],
])('the table %s enforces the constraint %s', async (table, constraint, column, value) => {
  const change = running.service.database.query(sql.type(none)`
    update ${sql.identifier([table])} set ${sql.identifier([column])} = ${value}`);
  await expect(change).rejects.toMatchObject({ constraint });
});
