import type * as contracts from '@corner/contracts';
import type { z } from 'zod';
import { query, send } from './send.ts';

export type Entry = z.output<typeof contracts.MerchantQueueEntry>;
export type QueueReply = z.output<typeof contracts.queue.listQueueEntries.reply>;
export type WalkIns = QueueReply['walk_ins'];
export type QueueLog = z.output<typeof contracts.queue.listQueueLog.reply>;
export type WaitsReply = z.output<typeof contracts.queue.readWaits.reply>;
export type KeptWeek = WaitsReply['weeks'][number];

export interface NewWalkIn {
  readonly store_id: string;
  readonly guest_name: string | null;
  readonly guest_phone: string | null;
  readonly party_size: number;
  readonly service_id: string | null;
  readonly chair_id: string | null;
}

const entriesPath = '/api/v1/queue/entries';

export const waitsPath = (store_id: string): string => `/api/v1/queue/stores/${encodeURIComponent(store_id)}/waits`;

export const queuePath = (store_id: string): string => `${entriesPath}?${query({ store_id })}`;

/** Moves an entry. The chair is the one that `assign` gives; absent: the preferred one, or else any that is free. */
export const moveEntry = async (store_id: string, entryId: string, move: string, unit_id?: string): Promise<Entry> => {
  const path = `${entriesPath}/${encodeURIComponent(entryId)}/${move}`;
  return (await send<{ entry: Entry }>({ of: entryId, path, body: { store_id, ...(unit_id ? { unit_id } : {}) } })).entry;
};

/** Adds a walk-in, under the key of a dialog. */
export const addWalkIn = async (body: NewWalkIn, key: string): Promise<Entry> =>
  (await send<{ entry: Entry }>({ of: body.store_id, path: entriesPath, body, key })).entry;

/** Ends the places that would not count if the day were full. */
export const clearUnconfirmed = (store_id: string) =>
  send<{ ended: number }>({ of: store_id, path: `/api/v1/queue/stores/${encodeURIComponent(store_id)}/clear`, body: {} });

/** Switches walk-ins on, or off until the given instant, until closing, or until they are switched on again (null). */
export const switchWalkIns = (store_id: string, open: boolean, until: string | null = null) =>
  send<{ walk_ins: WalkIns }>({
    of: store_id,
    path: `/api/v1/queue/stores/${encodeURIComponent(store_id)}/walk-ins`,
    body: open ? { open } : { open, until },
  });

export const queueLogPath = (store_id: string, limit: number): string => `/api/v1/queue/log?${query({ store_id, limit })}`;

/** The label of the setting that takes walk-ins. */
export const walkInsSetting = 'Guests can join the queue';
