import { publish, type Transaction } from '@corner/chassis';
import { messageAnswered } from '@corner/contracts';
import { answeredWithinMs } from '../rules/texts.ts';
import { insertAnswer } from '../tables/texts.ts';

interface Answer {
  readonly id: string;
  readonly number: Buffer;
  readonly text: string;
  readonly at: Date;
}

/**
 * Gives an answer to the store that wrote to its number last, once for each id. Returns false, and keeps nothing, when none had within
 * seven days before it, and when one has written since.
 */
export async function receiveAnswer(tx: Transaction, { id, number, text, at }: Answer): Promise<boolean> {
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
