import { NoColumns, type Transaction } from '@corner/chassis';
import type { ConsentWay, ShownText } from '@corner/contracts';
import { sql } from 'slonik';
import type { ConsentKey } from './preferences.ts';

/** `shown` is the text that the customer saw, null where none is known. `ask`: which of the two asks it answers, 1 or 2; null for none. */
interface Answer {
  readonly sequence: number;
  readonly accepted: boolean;
  readonly way: ConsentWay;
  readonly shown: ShownText | null;
  readonly ask: number | null;
}

/** Runs under the lock of `lockConsent`. */
export async function insertAnswer(
  tx: Transaction,
  { customerId, storeId }: ConsentKey,
  { sequence, accepted, way, shown, ask }: Answer,
): Promise<void> {
  await tx.query(sql.prepared('insert-answer', NoColumns)`
    insert into consent (customer_id, store_id, sequence, at, accepted, way, wording, locale, ask)
    values (${customerId}, ${storeId}, ${sequence}, ${tx.now.toISOString()}, ${accepted}, ${way}, ${shown?.text ?? null},
      ${shown?.locale ?? null}, ${ask})`);
}
