/** The statuses of a membership that holds, in the words of Stripe Billing. */
const holding: readonly string[] = ['active', 'trialing'];

/** A membership as the directory publishes it. `endsAt`: until when it is paid, in epoch milliseconds; null when it does not end. */
export interface GivenMembership {
  readonly status: string;
  readonly endsAt: number | null;
}

export interface SaidMembership {
  readonly active: boolean;
  readonly endsAt: number | null;
}

export type MembershipChange = 'begun' | 'renewed' | 'ended';

/**
 * Returns what a snapshot changes of a membership; null when there is nothing to publish. `given` is null when the customer has none any
 * more. One that goes on has a day after its end for the renewal to arrive.
 */
export function membershipChange(said: SaidMembership | null, given: GivenMembership | null, now: number): MembershipChange | null {
  const was = said?.active ?? false;
  const is = given !== null && holds(given, was ? now - graceMs : now);
  if (!was) return is ? 'begun' : null;
  if (!is) return 'ended';
  return isLater(given.endsAt, said?.endsAt ?? null) ? 'renewed' : null;
}

const holds = ({ status, endsAt }: GivenMembership, now: number): boolean => holding.includes(status) && (endsAt === null || endsAt > now);

/** A period without an end lasts for ever. */
const isLater = (next: number | null, before: number | null): boolean => next !== null && before !== null && next > before;

const dayMs = 86_400_000;

const graceMs = dayMs;

export const noticeDays = 7;

/**
 * Returns what is due at `now`: memberships that end by `endsBy` are ending; those whose end was by `endedBy` have ended and were not
 * renewed in the day that is left for it.
 */
export const dueAt = (now: number) => ({ endsBy: new Date(now + noticeDays * dayMs), endedBy: new Date(now - graceMs) });
