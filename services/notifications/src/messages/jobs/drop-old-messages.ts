import type { Context } from '../../context.ts';
import { dropOldErrands as drop } from '../tables/messages.ts';

/** Days an errand is kept once it is settled, and a topic once nobody spoke of it. No event comes later than that. */
const keptDays = 30;
/** Rows dropped by one statement: few, so that nothing waits behind it. */
const batch = 1_000;

/** Drops errands that are long settled, and topics nothing is said of any more. */
export async function dropOldErrands({ database, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - keptDays * 86_400_000);
  while ((await drop(database, before, batch)) === batch);
}
