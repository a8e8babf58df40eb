import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { lockObject } from '../object/tables.ts';
import { changeObject, type ObjectChange, type Versioned } from '../object/transactions/change-object.ts';

/** Changes or makes a booking. Throws UNIT_NOT_FOUND for a chair that the store does not have, unless the booking had it already. */
export async function changeBooking(tx: Transaction, { id, storeId, change, ...request }: BookingChange): Promise<Versioned<'booking'>> {
  const place = { kind: 'booking', id, storeId, at: storeId } as const;
  // The store is locked before its floor, as for every change of two objects.
  await lockObject(tx, { kind: 'store', id: storeId, storeId });
  const floor = await lockObject(tx, { kind: 'floor', id: storeId, storeId });
  return await changeObject(tx, {
    ...place,
    ...request,
    change(booking) {
      const next = change(booking);
      const isKnown = next.unit_id === booking?.unit_id || floor?.data.units.some((unit) => unit.id === next.unit_id.toLowerCase());
      if (!isKnown) throw new Problem('UNIT_NOT_FOUND');
      return next;
    },
  });
}

type BookingChange = Omit<ObjectChange<'booking'>, 'kind' | 'at'> & { readonly storeId: string };
