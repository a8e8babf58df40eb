import { z } from 'zod';
import { defineRpc } from '../rpc.ts';
import { Currency, CustomerId, Instant, OrderId, Pence, StoreId, VoucherId } from '../vocabulary.ts';

export const awardOrder = defineRpc({
  name: 'loyalty.award',
  service: 'loyalty',
  summary:
    'Award a paid order’s stamps now, so that confirm can show them. The event awards them too; whichever comes second reads the first’s result.',
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
  }),
  problems: [],
  deadlineMs: 1500,
});

export const reserveVoucher = defineRpc({
  name: 'loyalty.voucher.reserve',
  service: 'loyalty',
  summary: 'Reserve a voucher for an unpaid order, until a time. Asked again by the same order it answers the same.',
  input: z.object({ order_id: OrderId, voucher_id: VoucherId, customer_id: CustomerId, store_id: StoreId, until: Instant }),
  output: z.object({
    voucher_id: VoucherId,
    /** The programme’s own word for it, as `active_vouchers` shows it. */
    voucher_type: z.string().nullable(),
    /** What it takes off: `amount` pence, `percent` of the subtotal, or one `item` free. */
    value_kind: z.enum(['amount', 'percent', 'item']),
    value: z.int(),
    item_id: z.string().nullable(),
    reward_title: z.string().nullable(),
  }),
  problems: ['VOUCHER_NOT_FOUND', 'VOUCHER_EXPIRED', 'VOUCHER_RESERVED', 'VOUCHER_ALREADY_REDEEMED', 'VOUCHER_VOIDED'],
  deadlineMs: 1500,
});

export const releaseVoucher = defineRpc({
  name: 'loyalty.voucher.release',
  service: 'loyalty',
  summary: 'Give a reservation back. Released already, or reserved by another order: nothing happens.',
  input: z.object({ order_id: OrderId, voucher_id: VoucherId, store_id: StoreId }),
  output: z.object({ released: z.boolean() }),
  problems: [],
  deadlineMs: 1500,
});
