import type { Queries } from '@corner/chassis';
import type { DataOf, directoryFloor } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

type Floor = DataOf<typeof directoryFloor>;

/** Keeps a store's chairs and services unless a snapshot as new is kept already. */
export async function keepFloor(tx: Queries, floor: Floor): Promise<void> {
  await tx.query(sql.prepared('keep-floor', z.object({}))`
    insert into floor (store_id, version, services, units)
    values (${floor.store_id}, ${floor.version}, ${sql.jsonb(servicesOf(floor))}, ${sql.jsonb(unitsOf(floor))})
    on conflict (store_id) do update
    set version = excluded.version,
        services = excluded.services,
        units = excluded.units
    where floor.version < excluded.version`);
}

// Ids inside JSON are text to Postgres: one spelling, so that they compare equal to those in columns.
const servicesOf = ({ services }: Floor) => services.map((service) => ({ ...service, id: service.id.toLowerCase() }));

const unitsOf = ({ units }: Floor) =>
  units.map((unit) => ({ ...unit, id: unit.id.toLowerCase(), service_ids: unit.service_ids.map((id) => id.toLowerCase()) }));
