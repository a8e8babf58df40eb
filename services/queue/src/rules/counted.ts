import type { Status } from './moves.ts';
import { type Asked, type Party, partyOf } from './wait/floor.ts';

/** How many unconfirmed places of one address count: two, for a couple who join on one network. */
const placesOfAddress = 2;

/**
 * Returns whether an active entry is known to be a person: a customer's, or a guest's that staff added, called, seated or confirmed. Only
 * staff change an entry that stays active, so `by_id` shows it.
 */
export const isConfirmed = ({ customer_id, by_id }: Pick<Joiner, 'customer_id' | 'by_id'>): boolean =>
  customer_id !== null || by_id !== null;

/**
 * Returns the active entries that count when the day is full: the confirmed ones, and the first two others of each address, one per phone
 * number. `entries` come in the order of joining; those without an address count as one address.
 */
export function countedEntries<E extends Joiner>(entries: readonly E[]): readonly E[] {
  const byAddress = new Map<string | null, E[]>();
  return entries.filter((entry) => {
    if (isConfirmed(entry)) return true;
    const before = byAddress.get(entry.address_hash) ?? [];
    const sameNumber = entry.guest_phone !== null && before.some(({ guest_phone }) => guest_phone === entry.guest_phone);
    if (before.length === placesOfAddress || sameNumber) return false;
    byAddress.set(entry.address_hash, [...before, entry]);
    return true;
  });
}

/**
 * Returns the parties ahead of a joiner, as plans to try in turn: all in line, then, if the joiner would count, only those that count. So a
 * flood from one address takes the rest of the day from no other.
 */
export function partiesAhead(entries: readonly LinedUp[], joiner: Joiner): readonly (readonly Party[])[] {
  const inLine = entries.filter(({ status }) => status !== 'assigned');
  const counted = countedEntries<Joiner>([...inLine, joiner]);
  const countedInLine = inLine.filter((entry) => counted.includes(entry));
  const plans = counted.includes(joiner) && countedInLine.length < inLine.length ? [inLine, countedInLine] : [inLine];
  return plans.map((plan) => plan.map(partyOf));
}

export interface Joiner {
  readonly customer_id: string | null;
  readonly by_id: string | null;
  /** A keyed hash of the address of an unconfirmed guest; null when it is not known. */
  readonly address_hash: string | null;
  readonly guest_phone: string | null;
}

export interface LinedUp extends Joiner, Asked {
  readonly id: string;
  readonly status: Status;
}
