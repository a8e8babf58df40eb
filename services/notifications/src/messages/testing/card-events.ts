import { randomUUID } from 'node:crypto';
import {
  type Envelope,
  type EventContract,
  multiStampConfirmed,
  type StampData,
  type VoucherData,
  voucherExpiring,
} from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import type { Guest } from './messaging.ts';

/** Creates the events that loyalty would publish about a card. */
export function cardEvents({ customerId, storeId }: Guest) {
  const about = (sequence: number) => ({ aggregateId: `${storeId}:${customerId}`, sequence, storeId, customerId });
  const ids = { store_id: storeId, customer_id: customerId };
  return {
    stamp: (event: EventContract<typeof StampData>, sequence = 1, stamp_count = 4, stamp_id: string = randomUUID()): Envelope =>
      envelopeOf(event, { ...ids, stamp_id, source: 'code', order_id: null, stamp_count, goal: 10 }, about(sequence)),
    voucher: (
      event: EventContract<typeof VoucherData>,
      sequence = 1,
      voucher_id: string = randomUUID(),
      reward_title = 'A free coffee',
    ): Envelope => envelopeOf(event, { ...ids, voucher_id, reward_title, code_tail: 'K7Q2', order_id: null }, about(sequence)),
    expiring: (expires_at: string, sequence = 1, voucher_id: string = randomUUID()): Envelope =>
      envelopeOf(
        voucherExpiring,
        { ...ids, voucher_id, reward_title: 'A free coffee', code_tail: 'K7Q2', order_id: null, expires_at },
        about(sequence),
      ),
    several: (sequence = 1): Envelope =>
      envelopeOf(multiStampConfirmed, { ...ids, request_id: randomUUID(), stamps: 3, stamp_count: 7, goal: 10 }, about(sequence)),
  };
}
