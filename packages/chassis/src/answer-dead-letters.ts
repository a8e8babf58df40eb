import * as contracts from '@corner/contracts';
import { type DeadLetterOutcome, type DeadLetterView, Envelope, Problem, type ServiceName } from '@corner/contracts';
import { z } from 'zod';
import { type Answer, answer } from './ask.ts';
import { discardDeadLetter, type Letter, NotOpen, readDeadLetters, retryDeadLetter } from './dead-letters.ts';
import { wordsOf } from './error-words.ts';
import { isTransient } from './faults.ts';
import type { InboxOptions } from './inbox.ts';

const page = 100;

/** What a service writes into a letter of its own kind: ids, and what it speaks of. */
const OwnLetter = z.looseObject({ subject: z.string() });

/** What every service answers an operator about its dead letters. */
export function answerDeadLetters<Context>(service: ServiceName, options: InboxOptions<Context>): Answer<Context>[] {
  const { database, log } = options;
  const find = async (eventId: string) => (await readDeadLetters(database, { event_id: eventId, settled: true }, 1))[0] ?? null;

  /** What became of a letter that is not open. */
  const notOpen = async (eventId: string): Promise<DeadLetterOutcome> => {
    const letter = await find(eventId);
    const detail = letter?.settled_at
      ? `${letter.settled_as} by ${letter.settled_by} at ${letter.settled_at}`
      : 'there is no such dead letter here';
    return { outcome: 'not open', detail };
  };

  /** Null when what came is no envelope: that may be why it is here. */
  const envelopeOf = ({ type, payload }: Letter): Envelope | z.output<typeof OwnLetter> | null => {
    const shape = Object.hasOwn(options.ownDeadLetters ?? {}, type) ? OwnLetter : Envelope;
    try {
      return shape.parse(JSON.parse(payload));
    } catch {
      return null;
    }
  };
  const viewOf = ({ payload, ...letter }: Letter): DeadLetterView => ({
    ...letter,
    error: letter.error.slice(0, 1_000),
    aggregate_id: envelopeOf({ ...letter, payload })?.subject ?? null,
  });

  return [
    answer(contracts.listDeadLetters(service), async (wanted) => {
      const letters = await readDeadLetters(database, wanted, page + 1);
      return { letters: letters.slice(0, page).map(viewOf), more: letters.length > page };
    }),
    answer(contracts.showDeadLetter(service), async ({ event_id, payload, by }) => {
      const letter = await find(event_id);
      if (!letter) return { letter: null };
      if (payload) log.warn({ event_id, by }, 'the payload of a dead letter was shown');
      const envelope = envelopeOf(letter);
      const { data = null, ...rest } = envelope ?? { data: null };
      return {
        letter: {
          ...viewOf(letter),
          envelope: envelope === null ? null : rest,
          data_fields: data !== null && typeof data === 'object' ? Object.keys(data) : [],
          payload: payload ? letter.payload : null,
        },
      };
    }),
    answer(contracts.retryDeadLetter(service), async ({ event_id, by }): Promise<DeadLetterOutcome> => {
      try {
        await retryDeadLetter(options, event_id, by);
      } catch (error) {
        if (error instanceof NotOpen) return await notOpen(event_id);
        if (isTransient(error)) throw new Problem('UPSTREAM_UNAVAILABLE', { cause: error });
        log.warn({ event_id, by, err: error }, 'a dead letter was retried and failed again');
        return { outcome: 'failed', detail: wordsOf(error) };
      }
      log.info({ event_id, by }, 'a dead letter was retried');
      return { outcome: 'retried', detail: null };
    }),
    answer(contracts.discardDeadLetter(service), async ({ event_id, by, reason }): Promise<DeadLetterOutcome> => {
      try {
        await discardDeadLetter(database, event_id, by, reason);
      } catch (error) {
        if (error instanceof NotOpen) return await notOpen(event_id);
        throw error;
      }
      log.info({ event_id, by }, 'a dead letter was discarded');
      return { outcome: 'discarded', detail: null };
    }),
  ];
}
