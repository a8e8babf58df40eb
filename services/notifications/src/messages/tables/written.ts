import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import type { ChangedBy } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { answerColumns, TextAnswer } from './texts.ts';

const Written = z.object({
  id: z.string(),
  customer_id: z.string(),
  text: z.string(),
  by: z.object({ id: z.string(), name: z.string().nullable() }),
  at: z.string(),
  state: z.enum(['pending', 'sent', 'muted', 'failed', 'unknown']),
});
export type Written = z.output<typeof Written>;

const writtenColumns = sql.fragment`
  w.id, w.customer_id, w.text, jsonb_build_object('id', w.by_id, 'name', w.by_name) as by, ${instantOf(sql.fragment`w.at`)} as at,
  coalesce((select case m.state when 'superseded' then 'muted' else m.state end from message m where m.topic = 'written:' || w.id limit 1), 'unknown') as state`;

const Inserted = z.object({ store_known: z.boolean(), customer_known: z.boolean(), added: z.boolean() });

/** Inserts a text unless its id exists. The customer must have dealt with the store. Returns which of them were found. */
export const insertWritten = (tx: Transaction, { id, storeId, customerId, text, by }: NewText): Promise<z.output<typeof Inserted>> =>
  tx.one(sql.prepared('insert-written-message', Inserted)`
    with added as (
      insert into written_message (id, store_id, customer_id, text, by_id, by_name, at)
      select ${id}, i.store_id, i.customer_id, ${text}, ${by.id}, ${by.name}, ${tx.now.toISOString()}
      from interaction i where i.customer_id = ${customerId} and i.store_id = ${storeId}
      on conflict (id) do nothing
      returning id
    )
    select exists (select from store where id = ${storeId}) as store_known,
      exists (select from interaction where customer_id = ${customerId} and store_id = ${storeId}) as customer_known,
      exists (select from added) as added`);

export interface NewText {
  readonly id: string;
  readonly storeId: string;
  readonly customerId: string;
  readonly text: string;
  readonly by: ChangedBy;
}

export const findWritten = (queries: Queries, storeId: string, id: string): Promise<Written | null> =>
  queries.maybeOne(sql.prepared('find-written-message', Written)`
    select ${writtenColumns} from written_message w where w.id = ${id} and w.store_id = ${storeId}`);

const Conversation = z.object({ messages: z.array(Written), answers: z.array(TextAnswer) });

/** What staff wrote and what was answered, each newest first. Null for an unknown store. */
export const listWritten = (
  queries: Queries,
  { storeId, customerId, limit }: WrittenQuery,
): Promise<z.output<typeof Conversation> | null> =>
  queries.maybeOne(sql.prepared('list-written-messages', Conversation)`
    select coalesce((select jsonb_agg(to_jsonb(l) order by l.at desc, l.id) from (
      select ${writtenColumns} from written_message w
      where w.store_id = s.id and (${customerId}::uuid is null or w.customer_id = ${customerId}::uuid)
      order by w.at desc, w.id limit ${limit}
    ) l), '[]') as messages, coalesce((select jsonb_agg(to_jsonb(l) order by l.at desc, l.id) from (
      select ${answerColumns} from text_answer a
      where a.store_id = s.id and (${customerId}::uuid is null or a.customer_id = ${customerId}::uuid)
      order by a.at desc, a.id limit ${limit}
    ) l), '[]') as answers
    from store s where s.id = ${storeId}`);

interface WrittenQuery {
  readonly storeId: string;
  readonly customerId: string | null;
  readonly limit: number;
}
