import { derivedUuid, publish, type Transaction } from '@corner/chassis';
import { messageAnswered } from '@corner/contracts';
import { answeredWithinMs } from '../rules/texts.ts';
import { insertAnswer } from '../tables/texts.ts';

interface Answer {
  readonly textId: string;
  readonly number: Buffer;
  readonly text: string;
}

/**
 * Gives an answer to the store that wrote to its number last, once for each text. Returns false, and keeps nothing, when none has in the
 * last seven days.
 */
export async function receiveAnswer(tx: Transaction, { textId, number, text }: Answer): Promise<boolean> {
  const id = derivedUuid(`text:${textId}`);
  const since = new Date(tx.now.getTime() - answeredWithinMs);
  const { store_id: storeId, customer_id, added } = await insertAnswer(tx, { id, number, text, since });
  if (storeId !== null && added) {
    const data = { answer_id: id, store_id: storeId, customer_id, at: tx.now.toISOString() };
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
