import type { Context } from '../context.ts';
import { graceSeconds } from '../rules/multi-stamp.ts';
import { expireRequests } from '../tables/multi-stamp-requests.ts';

/** Expires requests that staff did not confirm in time. */
export async function expireMultiStamps({ database, now }: Context): Promise<void> {
  await expireRequests(database, new Date(now().getTime() - graceSeconds * 1_000));
}
