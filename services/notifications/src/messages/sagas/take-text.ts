import { derivedUuid } from '@corner/chassis';
import type { Context } from '../../context.ts';
import type { ReceivedText } from '../adapters/channel.ts';
import { numberHash } from '../crypto.ts';
import { answerOf, readChoice } from '../rules/texts.ts';
import { insertTextChoice } from '../tables/texts.ts';
import { receiveAnswer } from '../transactions/receive-answer.ts';

/**
 * Takes a text that someone sent, once: a word such as STOP for all stores, another text as an answer. Returns false for an empty one, and
 * for an answer to no store.
 */
export async function takeText({ id, from, text, at }: ReceivedText, { database, webhooks }: Context): Promise<boolean> {
  const number = numberHash(webhooks.key, from);
  const choice = readChoice(text);
  if (choice) await insertTextChoice(database, { id, number, at, ...choice });
  const answer = answerOf(text);
  if (choice || answer === '') return choice !== null;
  return await database.transaction((tx) => receiveAnswer(tx, { id: answerIdOf(id), number, text: answer, at }));
}

/** Derived from the provider's id of a text, so that a repeat finds the answer. */
export const answerIdOf = (textId: string): string => derivedUuid(`text:${textId}`);
