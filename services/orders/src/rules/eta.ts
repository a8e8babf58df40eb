import { Problem } from '@corner/contracts';

/** What an order says of when it will be ready. Instants as ISO 8601. */
export interface Expected {
  readonly revised_ready_at: string | null;
  readonly requested_collection_at: string | null;
  readonly paid_at: string | null;
  readonly prep_minutes: number;
}

/** What staff say: minutes more, or a time, which wins. */
export interface Later {
  readonly delayMinutes?: number | undefined;
  readonly newReadyAt?: string | undefined;
}

/** Seconds in which a customer is told of an order's delay once; what is said later within them is told at their end. */
export const noticeWindowSeconds = 60;

/** Hours an order can be put off by one notice. */
const mostHours = 24;

/** The time a delay notice comes to. Throws INVALID_ETA, naming the field. A time that has passed counts as now. */
export function revisedEta(order: Expected, { delayMinutes, newReadyAt }: Later, at: Date): Date {
  const now = at.getTime();
  const current = Math.max(now, expectedAt(order) ?? now);
  if (newReadyAt !== undefined) {
    const wanted = Date.parse(newReadyAt);
    if (wanted <= now) throw new Problem('INVALID_ETA', { message: 'newReadyAt: must be in the future.' });
    if (wanted > current + mostHours * 3_600_000) {
      throw new Problem('INVALID_ETA', { message: `newReadyAt: must be within ${mostHours} hours of the time expected now.` });
    }
    return new Date(wanted);
  }
  if (delayMinutes === undefined) throw new Problem('INVALID_ETA', { message: 'delayMinutes: is required, or newReadyAt.' });
  return new Date(current + delayMinutes * 60_000);
}

function expectedAt({ revised_ready_at, requested_collection_at, paid_at, prep_minutes }: Expected): number | null {
  const named = revised_ready_at ?? requested_collection_at;
  if (named) return Date.parse(named);
  return paid_at ? Date.parse(paid_at) + prep_minutes * 60_000 : null;
}
