import type { Queries } from '@corner/chassis';
import type { DataOf, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** Upserts a store's snapshot unless the stored version is as new. Returns whether it was newer. */
export async function saveStore(tx: Queries, store: DataOf<typeof directoryStore>): Promise<boolean> {
  const { id, version, name, time_zone, currency, language, vat_number, contacts } = store;
  const contactEmail = contacts.find(({ email }) => email !== null)?.email ?? null;
  const { rowCount } = await tx.query(sql.prepared('upsert-store', z.object({}))`
    insert into store (id, version, name, time_zone, currency, language, vat_number, contact_email)
    values (${id}, ${version}, ${name}, ${time_zone}, ${currency}, ${language}, ${vat_number}, ${contactEmail})
    on conflict (id) do update
    set version = excluded.version,
        name = excluded.name,
        time_zone = excluded.time_zone,
        currency = excluded.currency,
        language = excluded.language,
        vat_number = excluded.vat_number,
        contact_email = excluded.contact_email
    where store.version < excluded.version`);
  return rowCount > 0;
}
