import { z } from 'zod';
import { defineEvent, type EventContract } from '../event.ts';
import { CustomerId, OrderId, StampId, StoreId, VoucherId } from '../vocabulary.ts';

const producers = ['loyalty'] as const;
const version = 1;

export const StampData = z.object({
  stamp_id: StampId,
  store_id: StoreId,
  customer_id: CustomerId.nullable(),
  source: z.string(),
  order_id: OrderId.nullable(),
  /** Stamps on the card after the change, and how many a reward takes. */
  stamp_count: z.int(),
  goal: z.int(),
});

const stamp = (deed: string, summary: string): EventContract<typeof StampData> =>
  defineEvent({ type: `stamp.${deed}`, producers, version, summary, data: StampData });

export const stampPending = stamp('pending', 'A stamp waits for approval.');
export const stampApproved = stamp('approved', 'A stamp counts.');
export const stampRejected = stamp('rejected', 'A pending stamp was declined.');
export const stampUndone = stamp('undone', 'A granted stamp was taken back at the counter.');
export const stampReversed = stamp('reversed', 'An order’s stamp was taken back because the order was refunded in full.');

export const VoucherData = z.object({
  voucher_id: VoucherId,
  store_id: StoreId,
  customer_id: CustomerId,
  reward_title: z.string().nullable(),
  /** The last four characters: enough to recognise it, not to use it. */
  code_tail: z.string(),
  order_id: OrderId.nullable(),
});

const voucher = (deed: string, summary: string): EventContract<typeof VoucherData> =>
  defineEvent({ type: `voucher.${deed}`, producers, version, summary, data: VoucherData });

export const voucherMinted = voucher('minted', 'The goal was reached.');
export const voucherRedeemed = voucher('redeemed', 'A voucher was used.');
export const voucherRestored = voucher('restored', 'A used voucher is good again, because its order was refunded in full.');
export const voucherVoided = voucher('voided', 'A voucher is void, because the stamps behind it were taken back.');
export const voucherExpired = voucher('expired', 'A voucher’s last day is past.');

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
