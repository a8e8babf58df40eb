import type { queueStatuses } from '@corner/contracts';

const activeStatuses = ['waiting', 'called', 'assigned'] as const satisfies readonly Status[];

export const moves = {
  call: { from: ['waiting'], to: 'called' },
  recall: { from: ['called'], to: 'waiting' },
  assign: { from: ['waiting', 'called'], to: 'assigned' },
  complete: { from: ['assigned'], to: 'completed' },
  noShow: { from: ['called', 'assigned'], to: 'no_show' },
  /** Someone at the store knows the guest; nothing else changes. */
  confirm: { from: ['waiting'], to: 'waiting' },
  convert: { from: ['waiting', 'called'], to: 'converted_to_appointment' },
  leave: { from: activeStatuses, to: 'left' },
} as const satisfies Readonly<Record<string, { readonly from: readonly Status[]; readonly to: Status }>>;

export function checkMove(status: Status, move: Move): 'allowed' | 'already-made' | 'refused' {
  const { from, to }: { readonly from: readonly Status[]; readonly to: Status } = moves[move];
  if (from.includes(status)) return 'allowed';
  return status === to ? 'already-made' : 'refused';
}

export const isActive = (status: Status): boolean => (activeStatuses as readonly Status[]).includes(status);

const reopenableMs = 10 * 60_000;

/**
 * Returns the status to restore, `already-made` for an entry reopened before, or why it cannot be. `active` are the store's entries: a
 * customer has one place. `now` is in epoch milliseconds.
 */
export function checkReopening(entry: EndedEntry, active: readonly Pick<EndedEntry, 'customer_id'>[], now: number): Reopening {
  const { status, ended_at, ended_from, reopened_at, customer_id } = entry;
  if (ended_at === null && reopened_at !== null) return { verdict: 'already-made' };
  const isUndoable =
    ((status === 'completed' || status === 'no_show') && (ended_from === 'called' || ended_from === 'assigned')) ||
    (status === 'left' && ended_from === 'waiting' && entry.by_id !== null);
  if (ended_at === null || !isUndoable)
    return { verdict: 'refused', why: `The entry is ${status}; only a completion, a no-show or what staff cleared can be undone.` };
  if (reopened_at !== null) return { verdict: 'refused', why: 'The entry was reopened once already.' };
  if (now - Date.parse(ended_at) > reopenableMs) return { verdict: 'refused', why: 'It ended more than ten minutes ago.' };
  if (customer_id !== null && active.some((other) => other.customer_id === customer_id))
    return { verdict: 'refused', why: 'The customer has another place in the queue by now.' };
  return { verdict: 'allowed', to: ended_from };
}

/** Null when the end cannot be undone at any time. */
export function reopensUntil(entry: EndedEntry): string | null {
  const endedAt = entry.ended_at === null ? Number.NaN : Date.parse(entry.ended_at);
  const isAllowed = checkReopening(entry, [], endedAt).verdict === 'allowed';
  return isAllowed ? new Date(endedAt + reopenableMs).toISOString() : null;
}

export interface EndedEntry {
  readonly status: Status;
  readonly customer_id: string | null;
  readonly ended_at: string | null;
  readonly ended_from: Status | null;
  readonly reopened_at: string | null;
  /** Who at the store ended it; null for its owner, and for an end by time. */
  readonly by_id: string | null;
}

type Reopening =
  | { readonly verdict: 'allowed'; readonly to: 'waiting' | 'called' | 'assigned' }
  | { readonly verdict: 'already-made' }
  | { readonly verdict: 'refused'; readonly why: string };

export type Move = keyof typeof moves;
export type Status = (typeof queueStatuses)[number];

/** Of two active places of one person, the one further along stays, else the earlier one. Two in chairs both stay: someone sits there. */
export function placeToKeep(own: Place, guest: Place): 'own' | 'guest' | 'both' {
  const [mine, theirs] = [progress.indexOf(own.status), progress.indexOf(guest.status)];
  if (own.status === 'assigned' && guest.status === 'assigned') return 'both';
  if (mine !== theirs) return mine > theirs ? 'own' : 'guest';
  return own.joined_at <= guest.joined_at ? 'own' : 'guest';
}

const progress: readonly Status[] = ['waiting', 'called', 'assigned'];

interface Place {
  readonly status: Status;
  readonly joined_at: string;
}
