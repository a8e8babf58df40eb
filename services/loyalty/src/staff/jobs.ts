import type { Context } from '../context.ts';
import { rejectOldGuestStamps } from './tables.ts';

/** How long a guest's stamp waits for an answer, in milliseconds. It is on no card, so no one loses by its end. */
const answeredWithin = 86_400_000;

/** Rejects the stamps of guests that no one answered for a day. They are on no card, so nothing is published. */
export async function expireGuestStamps({ database, now }: Pick<Context, 'database' | 'now'>): Promise<void> {
  const at = now();
  while ((await rejectOldGuestStamps(database, new Date(at.getTime() - answeredWithin), at)) === 1_000);
}
