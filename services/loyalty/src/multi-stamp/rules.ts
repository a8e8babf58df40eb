import type { DataOf, directoryStaff, ProblemCode } from '@corner/contracts';

export const windowSeconds = 60;

/** Seconds after the window in which a confirmation that was sent in time may still arrive. */
export const graceSeconds = 5;

export const lookbackSeconds = 60;

interface MultiStampStore {
  readonly enabled: boolean;
  readonly live: boolean;
  readonly goal: number;
  readonly multiStamp: { readonly enabled: boolean; readonly entitled: boolean; readonly max_request: number } | null;
}

export function storeRefusal({ enabled, live, multiStamp }: MultiStampStore): ProblemCode | null {
  if (!enabled || !multiStamp?.enabled) return 'MULTI_STAMP_DISABLED';
  if (!multiStamp.entitled) return 'PLAN_NOT_ENTITLED';
  return live ? null : 'STORE_FROZEN';
}

export const maxStampsPerRequest = ({ goal, multiStamp }: MultiStampStore): number => Math.min(multiStamp?.max_request ?? 0, goal);

/**
 * Returns whether a confirmation must prove a tap. The token id of an auth card is public, so a card alone proves little, unless the store
 * accepts it; a session proves that staff are signed in.
 */
export const tapRequired = (
  { nfcEnforced, multiStamp }: { readonly nfcEnforced: boolean; readonly multiStamp: { readonly staff_card_without_tap: string } | null },
  credential: 'card' | 'session',
): boolean => nfcEnforced || (credential === 'card' && multiStamp?.staff_card_without_tap !== 'accept');

export const ceilingExceeded = (confirmed: number, stamps: number, ceiling: number): boolean => confirmed + stamps > ceiling;

export interface FoundRequest {
  readonly status: 'pending' | 'confirmed' | 'cancelled' | 'expired';
  readonly expiresAtMs: number;
  readonly resolvedAtMs: number | null;
}

type Confirmation = { readonly step: 'confirm' | 'replay' } | { readonly step: 'refuse'; readonly problem: ProblemCode };

/** Decides how a confirmation ends: a pending request is confirmed, one that was confirmed a moment ago is reported again. */
export function decideConfirmation(request: FoundRequest | null, nowMs: number): Confirmation {
  if (!request) return { step: 'refuse', problem: 'NO_PENDING_REQUEST' };
  const { status, expiresAtMs, resolvedAtMs } = request;
  switch (status) {
    case 'pending':
      return expiresAtMs < nowMs - graceSeconds * 1_000 ? { step: 'refuse', problem: 'MULTI_STAMP_EXPIRED' } : { step: 'confirm' };
    case 'expired':
      return { step: 'refuse', problem: 'MULTI_STAMP_EXPIRED' };
    case 'confirmed':
      return resolvedAtMs !== null && resolvedAtMs >= nowMs - lookbackSeconds * 1_000
        ? { step: 'replay' }
        : { step: 'refuse', problem: 'NO_PENDING_REQUEST' };
    case 'cancelled':
      return { step: 'refuse', problem: 'NO_PENDING_REQUEST' };
    default:
      return status satisfies never;
  }
}

type Staff = DataOf<typeof directoryStaff>;

/** Returns the auth cards that are valid: those for a store where the member works, and whose token is revoked nowhere. */
export function validCards({ stores, cards }: Pick<Staff, 'stores' | 'cards'>): Staff['cards'] {
  const worksAt = new Set(stores.map(({ id }) => id));
  const revoked = new Set(cards.filter((card) => card.revoked).map(({ token_id }) => token_id));
  return cards.filter(({ token_id, store_id }) => worksAt.has(store_id) && !revoked.has(token_id));
}

/**
 * Returns whether a verified staff session is valid at a store. The session lists its stores itself. `revoked`: the directory has revoked
 * the session, or its member does not work at the store. Null: the directory has published no such member.
 */
export const sessionIsValid = (
  session: { readonly storeIds: ReadonlySet<string> },
  storeId: string,
  member: { readonly revoked: boolean } | null,
): boolean => session.storeIds.has(storeId) && member?.revoked === false;
