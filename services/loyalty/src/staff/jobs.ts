import type { Context } from '../context.ts';
import { rejectOldGuestStamps } from './tables.ts';

/**
 * How long a guest's stamp waits for a review, in milliseconds. It is on no card, so its end costs no one anything and publishes nothing.
 */
const answeredWithin = 86_400_000;

export async function expireGuestStamps({ database, now }: Pick<Context, 'database' | 'now'>): Promise<void> {
  const at = now();
  while ((await rejectOldGuestStamps(database, new Date(at.getTime() - answeredWithin), at)) === 1_000);
}
