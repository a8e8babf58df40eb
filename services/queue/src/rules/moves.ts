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

/** Whether a call that holds until an instant holds no more. Times are epoch milliseconds. */
export const callLapsed = (holdUntil: number | null, now: number): boolean => holdUntil !== null && holdUntil <= now;

/** Whether somebody who still waits is sent home: their day has closed, or did not open at all (null). */
export const dayIsOver = (closesAt: number | null, now: number): boolean => (closesAt ?? 0) + afterClosing <= now;
