import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { TextChoice } from '../rules/texts.ts';

/** `number` is the keyed hash, 32 bytes. Both ids are null for a contact of a store, whose answers go nowhere. */
export interface TextClaim {
  readonly number: Buffer;
  readonly storeId: string;
  readonly customerId: string | null;
  readonly entryRef: string | null;
}

/**
 * Returns whether a text may be sent to a number, and remembers whose it is. Before it is sent, since an answer may arrive at once.
 */
export const claimText = (database: Queries, { number, storeId, customerId, entryRef }: TextClaim, now: Date): Promise<boolean> =>
  database.oneFirst(sql.prepared('claim-text', z.object({ accepted: z.boolean() }))`
    with choice as (
      select coalesce((select c.accepted from text_consent c where c.number = ${sql.binary(number)} order by c.at desc, c.accepted limit 1), true) as accepted
    ), noted as (
      insert into texted_number (number, store_id, customer_id, entry_ref, at)
      select ${sql.binary(number)}, ${storeId}::uuid, ${customerId}::uuid, ${entryRef}::uuid, ${now.toISOString()}::timestamptz
      from choice where accepted and coalesce(${customerId}, ${entryRef}) is not null
      on conflict (number) do update
      set store_id = excluded.store_id, customer_id = excluded.customer_id, entry_ref = excluded.entry_ref, at = excluded.at
    )
    select accepted from choice`);

/** A text that someone sent. `id` is the provider's, `at` when the provider received it. */
interface ChoiceByText extends TextChoice {
  readonly id: string;
  readonly number: Buffer;
  readonly at: Date;
}

export async function insertTextChoice(database: Queries, { id, number, at, accepted, word }: ChoiceByText): Promise<void> {
  await database.query(sql.prepared('insert-text-choice', NoColumns)`
    insert into text_consent (text_id, number, at, accepted, word)
    values (${id}, ${sql.binary(number)}, ${at.toISOString()}, ${accepted}, ${word}) on conflict (text_id) do nothing`);
}

interface NewAnswer {
  readonly id: string;
  readonly number: Buffer;
  readonly text: string;
  readonly since: Date;
  /** When the provider received it. */
  readonly at: Date;
}

const Received = z.object({
  store_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  added: z.boolean(),
});

/** Inserts an answer unless its id exists. The store is null unless the last text to the number is of the time from `since` to `at`. */
export const insertAnswer = (tx: Transaction, { id, number, text, since, at }: NewAnswer): Promise<z.output<typeof Received>> =>
  tx.one(sql.prepared('insert-text-answer', Received)`
    with known as materialized (
      select store_id, customer_id, entry_ref from texted_number where number = ${sql.binary(number)}
        and at between ${since.toISOString()}::timestamptz and ${at.toISOString()}::timestamptz
    ), added as (
      insert into text_answer (id, store_id, customer_id, entry_ref, text, at)
      select ${id}::uuid, store_id, customer_id, entry_ref, ${text}, ${at.toISOString()}::timestamptz from known
      on conflict (id) do nothing
      returning 1
    )
    select (select store_id from known) as store_id, (select customer_id from known) as customer_id, exists (select from added) as added`);

interface TextIds {
  readonly textId: string;
  readonly answerId: string;
}

/** Returns the provider's ids of those texts that were neither a word nor an answer. */
export const selectUntaken = (database: Queries, ids: readonly TextIds[]): Promise<readonly string[]> =>
  database.anyFirst(sql.prepared('select-untaken-texts', z.object({ id: z.string() }))`
    select t."textId" as id from jsonb_to_recordset(${sql.jsonb([...ids])}) as t ("textId" text, "answerId" uuid)
    where coalesce((select false from text_consent c where c.text_id = t."textId" limit 1),
      (select false from text_answer a where a.id = t."answerId" limit 1), true)`);

export const TextAnswer = z.object({
  id: z.string(),
  customer_id: z.string().nullable(),
  entry_ref: z.string().nullable(),
  text: z.string(),
  at: z.string(),
});

/** Columns of a row called a. */
export const answerColumns = sql.fragment`a.id, a.customer_id, a.entry_ref, a.text, ${instantOf(sql.fragment`a.at`)} as at`;

interface Retention {
  readonly numbersBefore: Date;
  readonly answersBefore: Date;
  readonly limit: number;
}

/** Deletes up to `limit` numbers of guests, and as many of their answers. Returns the greater number. */
export const deleteOldTexts = (database: Queries, { numbersBefore, answersBefore, limit }: Retention): Promise<number> =>
  database.oneFirst(sql.prepared('delete-old-texts', z.object({ deleted: z.number() }))`
    with numbers as (
      delete from texted_number where number = any(array(
        select number from texted_number where customer_id is null and at < ${numbersBefore.toISOString()} order by at limit ${limit} for update skip locked
      )) returning 1
    ), answers as (
      delete from text_answer where id = any(array(
        select id from text_answer where customer_id is null and at < ${answersBefore.toISOString()} order by at limit ${limit} for update skip locked
      )) returning 1
    )
    select greatest((select count(*) from numbers), (select count(*) from answers)) as deleted`);
