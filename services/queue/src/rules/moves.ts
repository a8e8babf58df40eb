import type { queueStatuses } from '@corner/contracts';

export type Status = (typeof queueStatuses)[number];

const active: readonly Status[] = ['waiting', 'called', 'assigned'];

/** Whether an entry holds a place: it has not ended. */
export const isActive = (status: Status): boolean => active.includes(status);

/** From which statuses each deed leads, and where to. */
export const moves = {
  call: { from: ['waiting'], to: 'called' },
  recall: { from: ['called'], to: 'waiting' },
  assign: { from: ['waiting', 'called'], to: 'assigned' },
  complete: { from: ['assigned'], to: 'completed' },
  noShow: { from: ['called', 'assigned'], to: 'no_show' },
  convert: { from: ['waiting', 'called'], to: 'converted_to_appointment' },
  leave: { from: active, to: 'left' },
} as const satisfies Readonly<Record<string, { readonly from: readonly Status[]; readonly to: Status }>>;

export type Move = keyof typeof moves;

/** Whether a deed is allowed, was done already, or neither. */
export function moveFrom(status: Status, move: Move): 'allowed' | 'done' | 'refused' {
  const { from, to } = moves[move];
  if ((from as readonly Status[]).includes(status)) return 'allowed';
  return status === to ? 'done' : 'refused';
}

/** How long somebody who still waits is kept after the store has closed, in milliseconds. */
const afterClosing = 30 * 60_000;

interface Held {
  readonly status: Status;
  /** Epoch milliseconds. */
  readonly holdUntil: number | null;
  /** When the store closes on the day they joined; null when it does not open at all that day. */
  readonly closesAt: number | null;
}

/** How an entry ends by time alone: a call that nobody came for, or a wait that outlived the day. Null while it goes on. */
export function endedByTime({ status, holdUntil, closesAt }: Held, now: number): 'noShow' | 'leave' | null {
  if (status === 'called' && holdUntil !== null && holdUntil <= now) return 'noShow';
  if (status === 'waiting' && (closesAt ?? 0) + afterClosing <= now) return 'leave';
  return null;
}
