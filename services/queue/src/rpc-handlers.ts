import { handleRpc } from '@corner/chassis';
import { Problem, queueGuest } from '@corner/contracts';
import type { Context } from './context.ts';
import { findGuestPhone } from './tables/entries.ts';

/** How long after its end an entry's number is returned, in milliseconds: its last message may need a few attempts. */
const reachableAfterEnd = 3_600_000;

/** Returns the phone number that was given for an entry, while the entry is active and an hour longer. Null when none was given. */
export const handleQueueGuest = handleRpc(queueGuest, async ({ entry_ref }, { database, now }: Context) => {
  const found = await findGuestPhone(database, entry_ref, new Date(now().getTime() - reachableAfterEnd));
  if (!found) throw new Problem('QUEUE_ENTRY_NOT_FOUND');
  return { phone: found.guest_phone };
});
