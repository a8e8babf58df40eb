import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { deliverDueMessages } from '../sagas/deliver-due-messages.ts';

/** Milliseconds a message that was just created waits for others, so that one lease takes them all. */
const gatherMs = 10;

/** Sends every message that is due. */
export async function deliverMessages(context: Context): Promise<void> {
  await pause(gatherMs);
  await deliverDueMessages(context);
}
