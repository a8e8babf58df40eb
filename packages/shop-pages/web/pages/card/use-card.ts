import { type Read, useRead } from '../../session/use-read.ts';
import type { OwnCard } from './look.ts';

/**
 * Follows the customer's card at a store. `card` is null when there is none yet, and undefined while that is unknown. The last one is
 * stored for a visit without a connection.
 */
export function useCard(storeId: string | undefined): Omit<Read<unknown>, 'data'> & { readonly card: OwnCard | null | undefined } {
  const { data, ...read } = useRead('/api/v1/loyalty/mine', {}, { keep: true });
  if (storeId === undefined) return { ...read, card: undefined };
  if (read.noCustomer) return { ...read, card: null };
  return { ...read, card: data && (data.cards.find(({ stores }) => stores.some(({ id }) => id === storeId)) ?? null) };
}
