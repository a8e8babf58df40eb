import type { Operation, Transaction } from '@corner/chassis';
import { type queue as contracts, Problem, queueJoined } from '@corner/contracts';
import { sql } from 'slonik';
import type { Context } from '../context.ts';
import { minutesUntil, placeParties, serviceOf } from '../rules/wait/place-parties.ts';
import { Entry, entryColumns } from '../tables/entries.ts';
import { type LiveQueue, partyOf } from '../tables/live-queue.ts';
import { lockQueue } from '../tables/locked-queue.ts';
import { tellEntry } from '../tables/move-entry.ts';
import { positionOf, shownEntry } from '../tables/shown-entry.ts';

/** Puts somebody at the end of the line and quotes the wait. A customer who holds a place there gets it back. */
export const joinQueue: Operation<typeof contracts.joinQueue, Context> = async (
  { body, caller },
  { database, now, newId, newCredential },
) => {
  const names = { id: newId(), entryId: newCredential() };
  return await database.transaction(async (tx) => {
    const at = now();
    const queue = await lockQueue(tx, body.store_id, at);
    if (!queue) throw new Problem('STORE_NOT_FOUND');
    const customerId = caller.type === 'customer' ? caller.id : null;
    const held = customerId === null ? undefined : queue.entries.find(({ customer_id }) => customer_id === customerId);
    if (held) return { entry_id: held.entry_id, reused: true, expected_wait_min: waitNow(held, queue), status: held.status };
    if (!queue.walkInsAccepted) throw new Problem('WALK_INS_NOT_ACCEPTED');
    const asked = {
      service_id: body.service_id ?? null,
      preferred_unit_id: body.preferred_unit_id ?? null,
      party_size: body.party_size,
      // What is known of a customer is kept elsewhere; a guest is whoever they say.
      customer_id: customerId,
      guest_name: customerId === null ? (body.guest_name ?? 'Guest') : null,
      guest_phone: customerId === null ? (body.guest_phone ?? null) : null,
    };
    const quoted = quote(queue, asked);
    const entry = await insert(tx, queue, names, asked, quoted);
    await tellEntry(tx, queueJoined, entry, at, 1 + queue.entries.filter(({ status }) => status === 'waiting').length);
    return { entry_id: entry.entry_id, reused: false, expected_wait_min: quoted, status: entry.status };
  });
};

type Asked = Pick<Entry, 'service_id' | 'preferred_unit_id' | 'party_size' | 'customer_id' | 'guest_name' | 'guest_phone'>;

/** The wait of somebody who comes behind all others. Throws what of their wishes cannot be. */
function quote({ floor, entries }: LiveQueue, asked: Asked): number {
  if (asked.service_id !== null && !serviceOf(floor, asked.service_id)) throw new Problem('SERVICE_NOT_FOUND');
  if (asked.preferred_unit_id !== null && !floor.chairs.some(({ id }) => id === asked.preferred_unit_id))
    throw new Problem('UNIT_NOT_FOUND');
  const ahead = entries.filter(({ status }) => status !== 'assigned');
  const first = placeParties(floor, [...ahead, asked].map(partyOf)).at(-1)?.[0];
  if (!first) throw new Problem('NO_CAPACITY_TODAY');
  return minutesUntil(floor.now, first.from);
}

/** The wait as it is now; none for who is called or in a chair. What was quoted stands where the day has no place left. */
function waitNow(entry: Entry, queue: LiveQueue): number {
  if (positionOf(queue, entry) === null) return 0;
  return shownEntry(entry, queue).expected_wait_min ?? entry.quoted_wait_min;
}

/** Behind everybody else by its time of joining, whatever the clocks of two replicas say. */
async function insert(
  tx: Transaction,
  { storeId, at }: LiveQueue,
  { id, entryId }: { readonly id: string; readonly entryId: string },
  asked: Asked,
  quoted: number,
): Promise<Entry> {
  return await tx.one(sql.prepared('insert-entry', Entry)`
    insert into entry as e (
      id, entry_id, store_id, customer_id, guest_name, guest_phone, service_id, preferred_unit_id, party_size, status, joined_at,
      quoted_wait_min, told
    )
    values (
      ${id}, ${entryId}, ${storeId}, ${asked.customer_id}, ${asked.guest_name}, ${asked.guest_phone}, ${asked.service_id},
      ${asked.preferred_unit_id}, ${asked.party_size}, 'waiting',
      greatest(${at.toISOString()}::timestamptz, (
        select max(joined_at) + interval '1 microsecond' from entry
        where store_id = ${storeId} and status in ('waiting', 'called', 'assigned'))),
      ${quoted}, 1
    )
    returning ${entryColumns}`);
}
