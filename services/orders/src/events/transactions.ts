import { measure, type Transaction } from '@corner/chassis';
import { moveCursor } from '../provider/tables.ts';
import { type ProviderEventRow, recordProviderEvents } from './tables.ts';

interface ListedEvent {
  readonly id: string;
  readonly type: string;
  readonly objectId: string;
}

export async function storeListedEvents(
  tx: Transaction,
  cursor: 'events' | 'late_events',
  listed: readonly ListedEvent[],
  readUntil: Date,
): Promise<number> {
  const rows = listed.map(({ id, type, objectId }): ProviderEventRow => ({ id, type, object_id: objectId }));
  const missed = await recordProviderEvents(tx, rows);
  await moveCursor(tx, cursor, readUntil);
  if (missed > 0) measure('corner.provider.events.missed', missed, {});
  return missed;
}
