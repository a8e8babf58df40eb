import { type DeadLetterHandlers, type Transaction, writeDeadLetter } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { reopenErrand, type Settlement } from '../tables/messages.ts';
import type { Waiting } from '../tables/pending-messages.ts';

/** What kind of dead letter a message is that was given up; the letter's id is the errand's. */
export const messageDeadLetter = 'errand';

/** Makes a dead letter of an errand, in the transaction that settles it as failed. The letter holds ids, neither text nor address. */
export const giveUpErrand = (tx: Transaction, errand: Waiting, { reason, attempts }: Settlement): Promise<void> =>
  writeDeadLetter(tx, {
    eventId: errand.id,
    type: messageDeadLetter,
    subject: errand.topic,
    payload: JSON.stringify({
      subject: errand.topic,
      event_id: errand.event_id,
      template: errand.template,
      channel: errand.channel,
      store_id: errand.store_id,
    }),
    error: reason ?? 'unknown',
    attempts,
  });

/**
 * Retrying such a letter has the errand sent anew, with all its tries. The preference and the addresses are read again, and what is
 * out of date meanwhile is told to nobody.
 */
export const deadLetterHandlers: DeadLetterHandlers<Context> = {
  async [messageDeadLetter](id, tx, { errands, now }) {
    if (!(await reopenErrand(tx, id, now()))) throw new Error('its errand is no longer kept as failed');
    tx.on('commit', errands.raise);
  },
};
