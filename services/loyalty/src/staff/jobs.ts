import type { Context } from '../context.ts';
import { rejectOldGuestStamps } from './tables.ts';

/** How long a guest's stamp waits for an answer, in milliseconds. It is on no card, so no one loses by its end and nothing is published. */
const answeredWithin = 86_400_000;

export async function expireGuestStamps({ database, now }: Pick<Context, 'database' | 'now'>): Promise<void> {
  const at = now();
  while ((await rejectOldGuestStamps(database, new Date(at.getTime() - answeredWithin), at)) === 1_000);
}
