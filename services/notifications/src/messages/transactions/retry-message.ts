import type { Signal, Transaction } from '@corner/chassis';
import { reopenMessage } from '../tables/messages.ts';

/**
 * Sends a failed message again, with all its attempts. Preferences and addresses are read again when it is sent, and a message that is out
 * of date by then is superseded. Throws when there is no failed message of this id.
 */
export async function retryMessage(tx: Transaction, id: string, signal: Signal): Promise<void> {
  if (!(await reopenMessage(tx, id))) throw new Error('the message is no longer stored as failed');
  tx.on('commit', signal.raise);
}
