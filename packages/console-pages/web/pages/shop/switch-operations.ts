import type * as contracts from '@corner/contracts';
import type { z } from 'zod';
import { query, send } from './send.ts';

export type SwitchesReply = z.output<typeof contracts.orders.readSwitches.reply>;
export type SwitchedItem = SwitchesReply['items'][number];

/** What a switch of an item is set to. A field that is absent changes nothing. */
export interface ItemSwitch {
  readonly sold_out?: SwitchedItem['sold_out_switch'];
  /** Null: the stock of the directory applies again. */
  readonly left?: number | null;
}

const storePath = (store_id: string): string => `/api/v1/orders/stores/${encodeURIComponent(store_id)}`;

export const switchesPath = (store_id: string): string => `${storePath(store_id)}/switches`;

export const switchItem = async (store_id: string, itemId: string, body: ItemSwitch): Promise<SwitchedItem> => {
  const path = `${storePath(store_id)}/menu/${encodeURIComponent(itemId)}`;
  return (await send<{ item: SwitchedItem }>({ of: `${store_id} ${itemId}`, method: 'PATCH', path, body })).item;
};

/** Pauses the orders of a store for so many minutes, or until they are taken again (null). */
export const pauseStore = (store_id: string, paused: boolean, minutes: number | null = null) =>
  send<Pick<SwitchesReply, 'store' | 'pause'>>({ of: store_id, path: `${storePath(store_id)}/pause`, body: { paused, minutes } });

export const storeLogPath = (store_id: string, limit: number): string => `${storePath(store_id)}/log?${query({ limit })}`;
