import type { queueStatuses } from '@corner/contracts';

const activeStatuses = ['waiting', 'called', 'assigned'] as const satisfies readonly Status[];

/** For each move: the statuses it is allowed from, and the status it leads to. */
export const moves = {
  call: { from: ['waiting'], to: 'called' },
  recall: { from: ['called'], to: 'waiting' },
  assign: { from: ['waiting', 'called'], to: 'assigned' },
  complete: { from: ['assigned'], to: 'completed' },
  noShow: { from: ['called', 'assigned'], to: 'no_show' },
  convert: { from: ['waiting', 'called'], to: 'converted_to_appointment' },
  leave: { from: activeStatuses, to: 'left' },
} as const satisfies Readonly<Record<string, { readonly from: readonly Status[]; readonly to: Status }>>;

/** Returns whether an entry in `status` may make the move, has made it already, or may not make it. */
export function checkMove(status: Status, move: Move): 'allowed' | 'already-made' | 'refused' {
  const { from, to }: { readonly from: readonly Status[]; readonly to: Status } = moves[move];
  if (from.includes(status)) return 'allowed';
  return status === to ? 'already-made' : 'refused';
}

/** Returns whether an entry in `status` still has a place in the queue or a chair. */
export const isActive = (status: Status): boolean => (activeStatuses as readonly Status[]).includes(status);

export type Move = keyof typeof moves;
export type Status = (typeof queueStatuses)[number];
