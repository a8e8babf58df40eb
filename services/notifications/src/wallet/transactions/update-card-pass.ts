import type { Transaction } from '@corner/chassis';
import type { DataOf, EventOf, multiStampConfirmed, stampApproved } from '@corner/contracts';
import { upsertCard } from '../tables/cards.ts';

/** Applies a card's stamp count to its pass. The event with the highest sequence wins. A stamp without a customer has no card. */
export async function updateCardPass(tx: Transaction, { data, sequence }: StampEvent | MultiStampEvent): Promise<void> {
  const { customer_id: customerId, store_id: storeId, stamp_count: stamps, goal } = data;
  if (customerId) await upsertCard(tx, { customerId, storeId, sequence, stamps, goal });
}

type StampEvent = Pick<EventOf<typeof stampApproved>, 'sequence'> & { readonly data: DataOf<typeof stampApproved> };
type MultiStampEvent = Pick<EventOf<typeof multiStampConfirmed>, 'sequence'> & { readonly data: DataOf<typeof multiStampConfirmed> };
