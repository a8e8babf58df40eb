import { derivedUuid, type Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import type { Context } from '../context.ts';
import { joinQueue as joinQueueIn } from '../transactions/join-queue.ts';

/**
 * Adds the caller at the end of a store's queue and quotes the wait. A customer who has an active entry there gets it back, and one who names
 * the entry they made as a guest keeps that one. A guest is known by the Idempotency-Key alone: a repeat whose first response was lost in a crash
 * gets the entry that the key has made.
 */
export const joinQueue: Operation<typeof contracts.joinQueue, Context> = async (
  { body, caller, idempotencyKey },
  { database, newCredential },
) => {
  const customerId = caller.type === 'customer' ? caller.id : null;
  const request = {
    id: customerId === null && idempotencyKey !== undefined ? derivedUuid(`queue.join:${idempotencyKey}`) : null,
    entry_id: newCredential(),
    store_id: body.store_id,
    customer_id: customerId,
    service_id: body.service_id ?? null,
    preferred_unit_id: body.preferred_unit_id ?? null,
    party_size: body.party_size,
    // A customer's name and phone number are kept elsewhere; only a guest's are taken from the request.
    guest_name: customerId === null ? (body.guest_name ?? 'Guest') : null,
    guest_phone: customerId === null ? (body.guest_phone ?? null) : null,
    guestEntryId: body.entry_id ?? null,
  };
  const { entry, reused, expectedWaitMinutes } = await database.transaction((tx) => joinQueueIn(tx, request));
  return { entry_id: entry.entry_id, reused, expected_wait_min: expectedWaitMinutes, status: entry.status };
};
