import { derivedUuid, publish, type Transaction } from '@corner/chassis';
import { messageAnswered } from '@corner/contracts';
import type { Context } from '../../context.ts';
import type { ReceivedText } from '../adapters/channel.ts';
import { numberHash } from '../crypto.ts';
import { answeredWithinMs, answerOf, readChoice } from '../rules/texts.ts';
import { insertAnswer, insertTextChoice } from '../tables/texts.ts';

type Taking = Pick<Context, 'database' | 'webhooks'>;

/**
 * Takes a text that someone sent, once: a word such as STOP for all stores, another text for the store that wrote to its number last.
 * Returns false, and keeps nothing, when none had within seven days before it, and when one has written since.
 */
export async function takeText({ id, from, text, at }: ReceivedText, { database, webhooks }: Taking): Promise<boolean> {
  const number = numberHash(webhooks.key, from);
  const choice = readChoice(text);
  if (choice) await insertTextChoice(database, { id, number, at, ...choice });
  const answer = answerOf(text);
  if (choice || answer === '') return choice !== null;
  return await database.transaction((tx) => receiveAnswer(tx, { id: answerIdOf(id), number, text: answer, at }));
}

/** Derived from the provider's id of a text, so that a repeat finds the answer. */
export const answerIdOf = (textId: string): string => derivedUuid(`text:${textId}`);

interface Answer {
  readonly id: string;
  readonly number: Buffer;
  readonly text: string;
  readonly at: Date;
}

async function receiveAnswer(tx: Transaction, { id, number, text, at }: Answer): Promise<boolean> {
  const since = new Date(at.getTime() - answeredWithinMs);
  const { store_id: storeId, customer_id, added } = await insertAnswer(tx, { id, number, text, since, at });
  if (storeId !== null && added) {
    const data = { answer_id: id, store_id: storeId, customer_id, at: at.toISOString() };
    await publish(tx, messageAnswered, {
      aggregateId: id,
      sequence: 1,
      storeId,
      ...(customer_id ? { customerId: customer_id } : {}),
      data,
    });
  }
  return storeId !== null;
}
