import { observe } from '@corner/chassis';
import { findCursor } from '../provider/tables.ts';
import type { EventsContext } from './context.ts';
import { processProviderEvent } from './sagas.ts';
import { findDueProviderEvents, readProviderState } from './tables.ts';
import { storeListedEvents } from './transactions.ts';

const minute = 60_000;
const hour = 60 * minute;

const graceMs = 15_000;
/** The provider may list an event late, so events of this age are read once more. */
const lateMs = 10 * minute;
/** The first reading goes back as far as the provider retries the delivery of an event. */
const firstMs = 72 * hour;
/** A long outage is read in parts, oldest first, so that a restart continues where it ended. */
const partMs = 6 * hour;

/**
 * Reads the provider's list of events since the last reading, and stores those that no webhook brought. Every ten minutes it reads ten
 * minutes of older events again, to find those listed late. Safe to run twice at once: an event is stored once by its id, and a cursor
 * only moves forward.
 */
export async function readProviderEvents(context: EventsContext): Promise<void> {
  const { database, now } = context;
  const soon = now().getTime() - graceMs;
  const readUntil = await findCursor(database, 'events');
  await readList(context, 'events', readUntil?.getTime() ?? soon - firstMs, soon);
  const late = now().getTime() - lateMs;
  const readAgainUntil = await findCursor(database, 'late_events');
  // On the first reading, older events were just read.
  if (readAgainUntil === null) await database.transaction((tx) => storeListedEvents(tx, 'late_events', [], new Date(late)));
  else if (late - readAgainUntil.getTime() >= lateMs) await readList(context, 'late_events', readAgainUntil.getTime(), late);
}

/** Reads a span of the list in parts. Each part's events and the cursor are stored together. */
async function readList({ database, providerEvents, log }: EventsContext, name: 'events' | 'late_events', from: number, until: number) {
  for (let start = from; start < until; ) {
    const end = Math.min(start + partMs, until);
    const listed = await providerEvents.eventsCreated(new Date(start), new Date(end));
    const missed = await database.transaction((tx) => storeListedEvents(tx, name, listed, new Date(end)));
    if (missed > 0) log.warn({ events: missed }, 'provider events were found in the provider’s list that no webhook had brought');
    start = end;
  }
}

export async function processProviderEvents(context: EventsContext): Promise<void> {
  for (const event of await findDueProviderEvents(context.database, context.now())) await processProviderEvent(context, event);
}

export const observeProviderState = ({ database, now }: EventsContext): (() => void) =>
  observe(
    [
      'corner.provider.cursor.age',
      'corner.ledger.differences',
      'corner.accounts.restricted',
      'corner.disputes.due',
      'corner.disputes.shares.failing',
    ],
    async (report) => {
      const state = await readProviderState(database, now());
      for (const { name, age } of state.cursors) report('corner.provider.cursor.age', age, { 'corner.cursor': name });
      report('corner.ledger.differences', state.differences, {});
      report('corner.accounts.restricted', state.restricted, {});
      report('corner.disputes.due', state.disputes_due, {});
      report('corner.disputes.shares.failing', state.shares_failing, {});
    },
  );
