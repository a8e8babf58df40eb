import { type FulfilmentStatus, Problem } from '@corner/contracts';

const moves: Readonly<Record<FulfilmentStatus | 'none', readonly FulfilmentStatus[]>> = {
  none: ['accepted', 'cancelled'],
  accepted: ['preparing', 'cancelled'],
  preparing: ['ready', 'cancelled'],
  ready: ['collected', 'cancelled'],
  collected: [],
  cancelled: [],
};

/** Whether the move changes anything. Throws INVALID_TRANSITION, which lists what is allowed. */
export function decideMove(from: FulfilmentStatus | null, to: FulfilmentStatus): boolean {
  if (from === to) return false;
  const allowed = moves[from ?? 'none'];
  if (allowed.includes(to)) return true;
  const options = allowed.length === 0 ? 'it has ended' : `allowed: ${allowed.join(', ')}`;
  throw new Problem('INVALID_TRANSITION', {
    message: `to_status: the order is ${from ?? 'not accepted yet'} and cannot become ${to}; ${options}.`,
  });
}
