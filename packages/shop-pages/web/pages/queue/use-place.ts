import type { components } from '@corner/client';
import type { KeptHead } from '@corner/contracts/verify-queue';
import { useEffect, useState } from 'preact/hooks';
import { type Read, useRead } from '../../session/use-read.ts';
import { keepPlace, readPlace } from './place-name.ts';

export type Place = components['schemas']['QueueEntry'];

export interface PlaceState extends Omit<Read<unknown>, 'data'> {
  /** Null when there is none; undefined while unknown. */
  readonly place: Place | null | undefined;
  /** The end of the queue's changes that was shown with the place. */
  readonly end: KeptHead | undefined;
  readonly holdMinutes: number;
  readonly forget: () => void;
}

/** Follows the customer's place at a store, the same in every tab. An ended one is shown for a day, or until it is forgotten. */
export function usePlace(storeId: string): PlaceState {
  const { data, ...read } = useRead('/api/v1/queue/status', { params: { query: { store_id: storeId } } });
  const active = data?.entry ?? null;
  const [last, setLast] = useState(() => readPlace(storeId));
  useEffect(() => {
    if (!active || active.entry_id === last) return;
    keepPlace(storeId, active.entry_id);
    setLast(active.entry_id);
  }, [active?.entry_id]);
  const over = (data !== undefined || read.noCustomer) && !active;
  const { data: ended } = useRead('/api/v1/queue/status', over && last !== undefined ? { params: { query: { entry_id: last } } } : null);
  const known = data !== undefined || read.noCustomer;
  return {
    ...read,
    place: known ? (active ?? (last === undefined ? null : (ended?.entry ?? null))) : undefined,
    end: data?.chain,
    holdMinutes: data?.called_hold_minutes ?? 0,
    forget: () => {
      keepPlace(storeId, null);
      setLast(undefined);
    },
  };
}
