import type { components } from '@corner/client';
import { type Body, pathTo, type Reply } from '../../logic/platform.ts';
import { send } from './send.ts';

export type SwitchesReply = Reply<'GET /api/v1/orders/stores/{store_id}/switches'>;
export type SwitchedItem = components['schemas']['SwitchedItem'];

/** An absent field changes nothing; `left` null: the stock of the directory applies again. */
export type ItemSwitch = Body<'PATCH /api/v1/orders/stores/{store_id}/menu/{menu_item_id}'>;

export const switchesPath = (store_id: string) => pathTo('/api/v1/orders/stores/{store_id}/switches', { store_id });

export const switchItem = async (store_id: string, menu_item_id: string, body: ItemSwitch): Promise<SwitchedItem> => {
  const sent = { of: `${store_id} ${menu_item_id}`, at: { store_id, menu_item_id }, body };
  return (await send('PATCH /api/v1/orders/stores/{store_id}/menu/{menu_item_id}', sent)).item;
};

export const pauseStore = (store_id: string, paused: boolean, minutes: number | null = null) =>
  send('POST /api/v1/orders/stores/{store_id}/pause', { of: store_id, at: { store_id }, body: { paused, minutes } });

export const pacePath = (store_id: string) => pathTo('/api/v1/orders/stores/{store_id}/pace', { store_id });

export const setPace = (store_id: string, starts_at: string, capacity: number | null) =>
  send('PATCH /api/v1/orders/stores/{store_id}/pace', { of: `${store_id} ${starts_at}`, at: { store_id }, body: { starts_at, capacity } });

export const storeLogPath = (store_id: string, limit: number) => pathTo('/api/v1/orders/stores/{store_id}/log', { store_id, limit });
