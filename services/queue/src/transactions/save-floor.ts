import type { Transaction } from '@corner/chassis';
import type { DataOf, directoryFloor } from '@corner/contracts';
import { upsertFloor } from '../tables/floors.ts';

/**
 * Saves a floor's snapshot. A snapshot that is not newer than the saved one is ignored. Ids are saved in lower case: inside JSON they are
 * text to Postgres, and must compare equal to the ids in uuid columns.
 */
export async function saveFloor(tx: Transaction, { store_id, version, services, units }: DataOf<typeof directoryFloor>): Promise<void> {
  await upsertFloor(tx, {
    store_id,
    version,
    services: services.map((service) => ({ ...service, id: service.id.toLowerCase() })),
    units: units.map((unit) => ({ ...unit, id: unit.id.toLowerCase(), service_ids: unit.service_ids.map((id) => id.toLowerCase()) })),
  });
}
