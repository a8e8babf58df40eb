import { randomUUID } from 'node:crypto';
import { directoryBooking, directoryFloor, directoryStore, type Envelope } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';

/** Returns a store's snapshot. Each version has another name, so that a test sees which one is kept. */
export const storeSnapshot = (id: string, version: number): Envelope =>
  envelopeOf(
    directoryStore,
    { id, version, code: 'S1', name: `Version ${version}`, walk_ins_accepted: version % 2 === 0, called_hold_minutes: version },
    { aggregateId: id, sequence: version, storeId: id },
  );

/** Returns a floor's snapshot with as many chairs as its version number. */
export function floorSnapshot(storeId: string, version: number): Envelope {
  const service = { id: randomUUID().toUpperCase(), name: 'Cut', minutes: 25, buffer_minutes: 5 };
  const units = Array.from({ length: version }, (_, index) => ({
    id: randomUUID(),
    name: `Chair ${index + 1}`,
    service_ids: [service.id],
    shifts: [{ starts_at: '2026-05-01T09:00:00Z', ends_at: '2026-05-01T17:00:00Z' }],
  }));
  return envelopeOf(
    directoryFloor,
    { store_id: storeId, version, services: [service], units },
    { aggregateId: storeId, sequence: version, storeId },
  );
}

/** Returns a booking's snapshot that starts as many hours after midnight as its version number. */
export const bookingSnapshot = (id: string, storeId: string, version: number, state: 'booked' | 'cancelled' = 'booked'): Envelope =>
  envelopeOf(
    directoryBooking,
    {
      id,
      version,
      store_id: storeId,
      unit_id: randomUUID(),
      starts_at: `2026-05-01T0${version}:00:00Z`,
      ends_at: `2026-05-01T0${version}:30:00Z`,
      state,
    },
    { aggregateId: id, sequence: version, storeId },
  );
