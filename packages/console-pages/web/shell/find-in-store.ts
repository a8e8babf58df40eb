import type { components } from '@corner/client';
import { useEffect, useState } from 'react';
import type { Choice } from '../logic/choices.ts';
import { pathOf } from '../logic/match-route.ts';
import type { PathTo, Reply } from '../logic/platform.ts';
import { useRead } from './queries.ts';

const pauseMs = 250;
const most = 5;

type FoundOrder = components['schemas']['Order'];

/** People are not searched while the person types, since each search of them is recorded. */
export function useFoundInStore(typed: string, storeId: string | undefined): readonly Choice[] {
  const text = usePaused(typed.trim());
  const path = (scope: 'active' | 'history') =>
    storeId === undefined || text.length < 2
      ? null
      : (`/api/v1/orders?${new URLSearchParams({ store_id: storeId, scope, limit: String(most), q: text })}` as PathTo<
          Reply<'GET /api/v1/orders'>
        >);
  const live = useRead(path('active'));
  const ended = useRead(path('history'));
  if (storeId === undefined || typed.trim().length < 2) return [];
  // Orders that an earlier text found are left out: Enter would open one of them.
  const orders = text === typed.trim() ? [...(live.data?.orders ?? []), ...(ended.data?.orders ?? [])] : [];
  const to = (page: string, field: string, value: string) =>
    `${pathOf(`/shop/:storeId/${page}`, { storeId })}?${new URLSearchParams({ [field]: value })}`;
  return [
    ...orders.map((order): Choice => ({ title: titleOf(order), href: to('orders', 'order', order.id), kind: 'order' })),
    { title: `Find “${typed.trim()}” among customers`, href: to('customers', 'q', typed.trim()), kind: 'people' },
  ];
}

const titleOf = ({ collection_code, order_number, customer_name }: FoundOrder): string =>
  [collection_code, order_number, customer_name].filter(Boolean).join(' · ');

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
