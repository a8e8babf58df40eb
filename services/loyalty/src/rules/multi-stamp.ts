import type { ProblemCode } from '@corner/contracts';

/** How long a request waits for staff. */
export const windowSeconds = 60;
/** How much later a confirmation may come in: it was sent in time. */
export const graceSeconds = 5;
/** How long a confirmed request is still answered. */
export const lookbackSeconds = 60;

export interface AskedStore {
  readonly enabled: boolean;
  readonly live: boolean;
  readonly goal: number;
  readonly multiStamp: { readonly enabled: boolean; readonly entitled: boolean; readonly max_request: number } | null;
}

/** Why a store does not take requests at all, the first of its reasons; null when it does. */
export function whyNotTaken({ enabled, live, multiStamp }: AskedStore): ProblemCode | null {
  if (!enabled || !multiStamp?.enabled) return 'MULTI_STAMP_DISABLED';
  if (!multiStamp.entitled) return 'PLAN_NOT_ENTITLED';
  return live ? null : 'STORE_FROZEN';
}

/** Most stamps one request may ask for. */
export const mostAtOnce = ({ goal, multiStamp }: AskedStore): number => Math.min(multiStamp?.max_request ?? 0, goal);
