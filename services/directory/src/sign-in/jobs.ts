import type { Context } from '../context.ts';
import { pruneInvitations } from '../staff/index.ts';
import { prunedRows, pruneSessions } from './tables.ts';

const dayMs = 86_400_000;

/**
 * Deletes sessions a day after their end, because for that long their ID tokens must be known as used, and invitations a month after
 * theirs.
 */
export async function deleteSessions({ database, now }: Context): Promise<void> {
  const before = (days: number) => new Date(now().getTime() - days * dayMs);
  while ((await pruneSessions(database, before(1))) === prunedRows);
  while ((await pruneInvitations(database, before(30), prunedRows)) === prunedRows);
}
