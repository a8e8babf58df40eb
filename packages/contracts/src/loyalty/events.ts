import { z } from 'zod';
import { defineEvent, type EventContract } from '../event.ts';
import { CustomerId, Instant, OrderId, StampId, StoreId, VoucherId } from '../vocabulary.ts';

const producers = ['loyalty'] as const;
const version = 1;

export const StampData = z.object({
  stamp_id: StampId,
  store_id: StoreId,
  customer_id: CustomerId.nullable(),
  source: z.string(),
  order_id: OrderId.nullable(),
  /**
   * Stamps on the card with this one, and the number that earns a reward. A count that reaches the goal is that of a full card: its stamps
   * become a voucher in the same change (voucher.minted follows), and the card then shows the remainder of `stamp_count` by `goal`.
   */
  stamp_count: z.int(),
  goal: z.int(),
});

const stamp = (change: string, summary: string): EventContract<typeof StampData> =>
  defineEvent({ type: `stamp.${change}`, producers, version, summary, data: StampData });

export const stampPending = stamp('pending', 'A stamp was collected and awaits approval.');
export const stampApproved = stamp('approved', 'A stamp was approved and counts toward the goal.');
export const stampRejected = stamp('rejected', 'A pending stamp was rejected.');
export const stampUndone = stamp('undone', 'Staff took back a stamp that they had granted.');
export const stampReversed = stamp('reversed', 'The stamp of an order was taken back because the order was refunded in full.');

export const VoucherData = z.object({
  voucher_id: VoucherId,
  store_id: StoreId,
  customer_id: CustomerId,
  reward_title: z.string().nullable(),
  /** The last four characters of the code: enough to recognise the voucher, not to redeem it. */
  code_tail: z.string(),
  order_id: OrderId.nullable(),
});

const voucher = (change: string, summary: string): EventContract<typeof VoucherData> =>
  defineEvent({ type: `voucher.${change}`, producers, version, summary, data: VoucherData });

export const voucherMinted = voucher('minted', 'A customer reached the goal and earned a voucher.');
export const voucherRedeemed = voucher('redeemed', 'A voucher was redeemed.');
export const voucherRestored = voucher('restored', 'A redeemed voucher can be used again because its order was refunded in full.');
export const voucherVoided = voucher('voided', 'A voucher was voided because the stamps that earned it were taken back.');
export const voucherExpired = voucher('expired', 'A voucher expired unused.');

export const voucherExpiring = defineEvent({
  type: 'voucher.expiring',
  producers,
  version,
  summary: 'An unused voucher expires soon. Published once per voucher, a configured time before its last moment.',
  data: VoucherData.extend({ expires_at: Instant }),
});

export const multiStampConfirmed = defineEvent({
  type: 'multi_stamp.confirmed',
  producers,
  version,
  summary: 'Staff confirmed several stamps at once.',
  data: z.object({
    request_id: z.guid(),
    store_id: StoreId,
    customer_id: CustomerId,
    stamps: z.int(),
    stamp_count: z.int(),
    goal: z.int(),
  }),
});
