import type { Context } from '../../context.ts';
import { deliverDueMessages } from '../sagas/deliver-due-messages.ts';

/** Sends every message that is due. */
export const deliverMessages = (context: Context): Promise<void> => deliverDueMessages(context);
