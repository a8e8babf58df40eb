import { type Explained, instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Row = z.object({
  id: z.string(),
  type: z.string(),
  object_id: z.string(),
  attempts: z.number(),
  received_at: z.string(),
  processed_at: z.string().nullable(),
});

/** Returns what became of events of the payment provider, found by their ids. The objects they are about lead to the orders. */
export async function explainProviderEvents(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const rows = await queries.any(sql.prepared('explain-provider-events', Row)`
    select id, type, object_id, attempts, ${instantOf(sql.fragment`received_at`)} as received_at,
      ${instantOf(sql.fragment`processed_at`)} as processed_at
    from provider_event where id = any(${sql.array([...ids], 'text')})`);
  const facts = rows.flatMap(({ id, type, object_id, attempts, received_at, processed_at }) => {
    const name = `The provider’s event ${id} (${type})`;
    const tried = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
    return [
      {
        at: received_at,
        sentence: `${name} about ${object_id} was received${processed_at ? '' : `; it is not processed yet, after ${tried}`}.`,
      },
      ...(processed_at ? [{ at: processed_at, sentence: `${name} was processed after ${tried}.` }] : []),
    ];
  });
  return { facts, also: [...new Set(rows.map(({ object_id }) => object_id))] };
}
