import type { components } from '@corner/client';
import { storeSettings } from '@corner/contracts/settings';
import { type Body, type Call, pathTo, type Reply } from '../../logic/platform.ts';
import { send } from './send.ts';

export type Entry = components['schemas']['MerchantQueueEntry'];
export type QueueReply = Reply<'GET /api/v1/queue/entries'>;
export type WalkIns = components['schemas']['WalkIns'];
export type QueueLog = Reply<'GET /api/v1/queue/log'>;
export type KeptWeek = Reply<'GET /api/v1/queue/stores/{store_id}/waits'>['weeks'][number];

export type NewWalkIn = Body<'POST /api/v1/queue/entries'>;

export const waitsPath = (store_id: string) => pathTo('/api/v1/queue/stores/{store_id}/waits', { store_id });

export const readyTimesPath = (store_id: string) => pathTo('/api/v1/orders/stores/{store_id}/ready-times', { store_id });

export const queuePath = (store_id: string) => pathTo('/api/v1/queue/entries', { store_id });

type Moved = Extract<Call, `POST /api/v1/queue/entries/{entry_id}/${string}`>;
export type EntryMove = Moved extends `POST /api/v1/queue/entries/{entry_id}/${infer M}` ? M : never;

/** The chair is for `assign`; when absent, it is the preferred one, or else any free one. */
export const moveEntry = async (store_id: string, entry_id: string, move: EntryMove, unit_id?: string): Promise<Entry> =>
  (await send(`POST /api/v1/queue/entries/{entry_id}/${move}`, { of: entry_id, at: { entry_id }, body: { store_id, unit_id } })).entry;

export const addWalkIn = async (body: NewWalkIn, key: string): Promise<Entry> =>
  (await send('POST /api/v1/queue/entries', { of: body.store_id, body, key })).entry;

export const clearUnconfirmed = (store_id: string) =>
  send('POST /api/v1/queue/stores/{store_id}/clear', { of: store_id, at: { store_id }, body: {} });

/** Off until the given instant or until closing; null until they are switched on again. */
export const switchWalkIns = (store_id: string, open: boolean, until: string | null = null) =>
  send('POST /api/v1/queue/stores/{store_id}/walk-ins', { of: store_id, at: { store_id }, body: open ? { open } : { open, until } });

export const queueLogPath = (store_id: string, limit: number) => pathTo('/api/v1/queue/log', { store_id, limit });

export const walkInsSetting = storeSettings.walk_ins_accepted.label;
