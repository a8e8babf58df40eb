import { sql } from 'slonik';
import { z } from 'zod';
import { pause } from '../async/clock.ts';
import { backoffMs } from '../async/waiting.ts';
import { NoColumns } from '../database/columns.ts';
import { isTransient } from '../errors/is-transient.ts';
import { LostLease } from './consumer-lease.ts';
import { deadLetterEvent, type Failure } from './dead-letter-event.ts';
import type { Delivery } from './delivery.ts';
import { consume } from './inbox.ts';
import { type ConsumeOptions, type InboxOptions, type IncomingEvent, logFieldsOf } from './incoming-event.ts';

/**
 * `poisonAttempts`: failures of the event itself after which it becomes a dead letter; transient faults do not count. `unfinishedAttempts`:
 * attempts that began and never ended, after which an event is taken to crash its process.
 */
const poisonAttempts = 5;
const unfinishedAttempts = 8;

/**
 * Processes one delivery until it has taken effect or is a dead letter; waits out transient faults. Once `stopped` or without the lease,
 * hands it back. A `suspect`'s attempts are counted before they begin. Never throws.
 */
export async function processDelivery<Context>(
  options: ConsumeOptions<Context>,
  delivery: Delivery,
  suspect: boolean,
  stopped: AbortSignal,
): Promise<void> {
  const { incoming } = delivery;
  const deadLetter = (failure: Failure) => deadLetterEvent(options, delivery, failure);
  let counted = false;
  // A clean hand-back is not a crash; only attempts that never finished count.
  const handBack = async () => {
    if (counted && incoming) await forgetAttempts(options, incoming).catch(() => {});
    delivery.respond('nak');
  };
  for (let faults = 0, failures = 0; ; ) {
    if (stopped.aborted) return await handBack();
    try {
      if (!incoming) await deadLetter({ error: new Error('not an event envelope'), attempts: 1 });
      else if (!counted && suspect && (await countAttempt(options, incoming)) > unfinishedAttempts) {
        await deadLetter({ error: new Error('the event was started several times and never finished'), attempts: unfinishedAttempts });
      } else {
        counted = suspect;
        await consume(options, [incoming]);
        if (counted) await forgetAttempts(options, incoming);
      }
      return delivery.respond('ack');
    } catch (error) {
      if (error instanceof LostLease) {
        options.onLostLease?.();
        return await handBack();
      }
      if (!isTransient(error) && ++failures >= poisonAttempts) {
        const written = await deadLetter({ error, attempts: failures }).then(
          () => true,
          () => false,
        );
        if (written) return delivery.respond('ack');
      }
      const fields = incoming && logFieldsOf(incoming);
      options.log.warn({ err: error, subject: delivery.subject, ...fields }, 'an event failed: trying it again');
      delivery.respond('working');
      await pause(backoffMs(faults++), stopped);
    }
  }
}

async function countAttempt<Context>({ database }: InboxOptions<Context>, { envelope }: IncomingEvent): Promise<number> {
  return await database.oneFirst(sql.type(z.object({ attempts: z.number() }))`
    insert into delivery_attempt (event_id, attempts) values (${envelope.id}, 1)
    on conflict (event_id) do update set attempts = delivery_attempt.attempts + 1, last_at = clock_timestamp()
    returning attempts`);
}

async function forgetAttempts<Context>({ database }: InboxOptions<Context>, { envelope }: IncomingEvent): Promise<void> {
  await database.query(sql.type(NoColumns)`delete from delivery_attempt where event_id = ${envelope.id}`);
}
