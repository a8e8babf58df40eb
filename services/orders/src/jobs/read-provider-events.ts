import type { Context } from '../context.ts';
import { findCursor } from '../tables/provider-cursors.ts';
import { storeListedEvents } from '../transactions/store-listed-events.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Events this young are left to their webhooks. */
const graceMs = 15_000;
/** Each reading begins this much before the end of the last one: the provider may list an event later than its time says. */
const overlapMs = 10 * minute;
/** The first reading goes back as far as the provider tries to deliver an event. */
const firstMs = 72 * hour;
/** A long outage is read in parts, oldest first, so that a restart continues where it ended. */
const partMs = 6 * hour;

/**
 * Reads the provider's list of events from the cursor on, and stores those that no webhook brought; the job that processes provider
 * events takes them from there. Each part's events and the cursor are stored together. Safe to run twice at once: an event is stored once
 * by its id, and the cursor only moves forward.
 */
export async function readProviderEvents({ database, providerEvents, now, log }: Context): Promise<void> {
  const until = now().getTime() - graceMs;
  let from = (await findCursor(database, 'events'))?.getTime() ?? until - firstMs;
  while (from < until) {
    const to = Math.min(from + partMs, until);
    const listed = await providerEvents.eventsCreated(new Date(from - overlapMs), new Date(to));
    const missed = await database.transaction((tx) => storeListedEvents(tx, listed, new Date(to)));
    if (missed > 0) log.warn({ events: missed }, 'provider events were found in the provider’s list that no webhook had brought');
    from = to;
  }
}
