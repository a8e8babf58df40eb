import { z } from 'zod';
import { By, operatorRpc } from '../operator.ts';
import { defineRpc } from '../rpc.ts';
import { Currency, CustomerId, Instant, OrderId, Pence, StoreId, VoucherId } from '../vocabulary.ts';
import { StampedLine, StampLine, stampLinesPerCall } from './opening-balances.ts';
import { NoStamp } from './shapes.ts';

export const awardOrder = defineRpc({
  name: 'loyalty.award',
  service: 'loyalty',
  summary:
    'Awards the stamps of a paid order at once, so that confirmOrder can return them. The order.paid event awards them too; the second of the two returns the result of the first.',
  input: z.object({
    order_id: OrderId,
    store_id: StoreId,
    customer_id: CustomerId,
    paid_at: Instant,
    total_pence: Pence,
    net_of_tip_pence: Pence,
    currency: Currency,
    voucher_id: VoucherId.nullable(),
    is_first: z.boolean(),
  }),
  output: z.object({
    awarded: z.boolean(),
    stamps_added: z.int(),
    stamp_count: z.int(),
    goal: z.int(),
    voucher_minted: z.boolean(),
    reward_title: z.string().nullable(),
    reward_unlock_message: z.string().nullable(),
    /** Absent for an order that earned stamps, and for one awarded before the reason was kept. */
    no_stamp: NoStamp.optional(),
  }),
  problems: [],
  deadlineMs: 1500,
});

export const readOrderStamps = defineRpc({
  name: 'loyalty.order-story',
  service: 'loyalty',
  summary: 'Returns what an order did to its customer’s card: its stamps, why it has none, and its voucher. Changes nothing.',
  input: z.object({ order_id: OrderId, customer_id: CustomerId, voucher_id: VoucherId.nullable() }),
  output: z.object({
    /** Null while the order is not awarded yet. */
    award: awardOrder.output.nullable(),
    stamps: z.array(
      z.object({
        given_at: Instant,
        /** When it was taken back; null for one that counts. */
        taken_back_at: Instant.nullable(),
      }),
    ),
    /** True when a lost dispute took the stamps back, false when a full refund did. */
    lost: z.boolean(),
    voucher: z.object({ reward_title: z.string().nullable(), returned: z.boolean() }).nullable(),
  }),
  problems: [],
  deadlineMs: 1500,
});

export const readLastVisits = defineRpc({
  name: 'loyalty.last-visits',
  service: 'loyalty',
  summary: 'Returns when customers last visited any store: paid for an order, joined a queue, or got a stamp. Changes nothing.',
  input: z.object({ customer_ids: z.array(CustomerId).min(1).max(100) }),
  /** Leaves out customers who never visited. */
  output: z.object({ visits: z.array(z.object({ customer_id: CustomerId, at: Instant })) }),
  problems: [],
  deadlineMs: 5_000,
});

export const knowsCustomer = defineRpc({
  name: 'loyalty.knows-customer',
  service: 'loyalty',
  summary: 'Returns whether a customer has done something at a store: paid for an order, joined its queue, or collected a stamp there.',
  input: z.object({ store_id: StoreId, customer_id: CustomerId }),
  output: z.object({ known: z.boolean() }),
  problems: [],
  deadlineMs: 1500,
});

export const findCustomer = defineRpc({
  name: 'loyalty.find-customer',
  service: 'loyalty',
  summary:
    'Returns who is meant by what was scanned or typed at the counter of a store: the customer of a card, or those whom the store knows by an e-mail address or the last digits of a phone number. Such a look-up is recorded with who made it.',
  input: z.object({
    store_id: StoreId,
    q: z.string().min(1).max(320),
    /** Who looks. Null for one who may read cards alone. */
    by: z.object({ kind: z.enum(['merchant', 'staff']), id: z.string(), name: z.string().nullable() }).nullable(),
  }),
  /** More than one when the search is ambiguous. */
  output: z.object({ customer_ids: z.array(CustomerId) }),
  problems: ['STORE_NOT_FOUND'],
  deadlineMs: 1500,
});

/**
 * When the order made the call. Of the calls for one voucher, one made before another that was processed changes nothing: a copy that a
 * frozen replica held back must not undo a later call.
 */
const AskedAt = Instant;

export const reserveVoucher = defineRpc({
  name: 'loyalty.voucher.reserve',
  service: 'loyalty',
  summary: 'Reserves a voucher for an unpaid order until a given time. A repeat for the same order returns the same.',
  input: z.object({
    order_id: OrderId,
    voucher_id: VoucherId,
    customer_id: CustomerId,
    store_id: StoreId,
    until: Instant,
    asked_at: AskedAt,
  }),
  output: z.object({
    voucher_id: VoucherId,
    voucher_type: z.string().nullable(),
    /** The discount: `value` pence, `value` percent of the subtotal, or one item free. */
    value_kind: z.enum(['amount', 'percent', 'item']),
    value: z.int(),
    item_id: z.string().nullable(),
    reward_title: z.string().nullable(),
  }),
  problems: ['VOUCHER_NOT_FOUND', 'VOUCHER_EXPIRED', 'VOUCHER_RESERVED', 'VOUCHER_ALREADY_REDEEMED', 'VOUCHER_VOIDED'],
  deadlineMs: 1500,
});

export const voucherDetails = defineRpc({
  name: 'loyalty.voucher.details',
  service: 'loyalty',
  summary:
    'Reads what the wallet pass of a voucher shows. It is called when a pass is signed, because no event and no other service’s table holds a code.',
  input: z.object({ voucher_id: VoucherId, customer_id: CustomerId, store_id: StoreId }),
  output: z.object({
    code: z.string(),
    expires_at: Instant,
    /** The last day by the store’s clock, `2026-08-29`. */
    last_day: z.iso.date(),
  }),
  problems: ['VOUCHER_NOT_FOUND'],
  deadlineMs: 1500,
});

export const releaseVoucher = defineRpc({
  name: 'loyalty.voucher.release',
  service: 'loyalty',
  summary: 'Releases the reservation of a voucher. Does nothing when it is already released or reserved for another order.',
  input: z.object({ order_id: OrderId, voucher_id: VoucherId, store_id: StoreId, asked_at: AskedAt }),
  output: z.object({ released: z.boolean() }),
  problems: [],
  deadlineMs: 1500,
});

export const importStamps = operatorRpc(
  'loyalty',
  'stamps.import',
  60_000,
  'Adds the stamps that customers bring from another system, a page of a file at a time: all of its lines or none, and each line once.',
  z.object({ by: By, dry_run: z.boolean().default(false), lines: z.array(StampLine).min(1).max(stampLinesPerCall) }),
  z.object({
    /** If not empty, nothing was done. */
    faults: z.array(z.object({ line: z.int(), field: z.enum(['store', 'customer', 'id']), fault: z.string() })),
    lines: z.array(StampedLine),
  }),
);
