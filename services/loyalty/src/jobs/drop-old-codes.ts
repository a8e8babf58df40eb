import type { Context } from '../context.ts';
import { deleteCodes } from '../tables/stamp-codes.ts';

/** For how many days a repeated redemption still returns the stamp of its code. */
const keptDays = 7;

/** Deletes codes that expired more than {@link keptDays} ago, with what is stored of their devices. Their taps stay used. */
export async function dropOldCodes({ database, now }: Context): Promise<void> {
  const expiredBefore = new Date(now().getTime() - keptDays * 86_400_000);
  while ((await deleteCodes(database, expiredBefore)) === 1_000);
}
