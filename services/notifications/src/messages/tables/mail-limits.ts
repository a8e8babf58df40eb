import { NoColumns, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { AddressKind, MailLimits } from '../rules/mail-limits.ts';

/** `address` is the keyed hash, 32 bytes. The customer is null for an invitation and for a contact. */
export interface MailClaim {
  readonly address: Buffer;
  readonly kind: AddressKind;
  readonly customerId: string | null;
  readonly messageId: string;
}

const Claimed = z.object({ n: z.number(), result: z.enum(['own', 'typed', 'contact', 'refused', 'unconfirmed', 'limit']) });
export type Claimed = z.output<typeof Claimed>['result'];

/**
 * Counts mails before they are sent, in one statement; each is to another address. Returns for each mail the kind of its address, which a
 * confirmation makes `own`, or the reason to withhold it. The first mail to a typed address is one message: its row decides between two
 * concurrent ones, and each attempt of it may be sent. Lock order: the counts by address, then the typed addresses by customer.
 */
export async function claimMails(
  database: Queries,
  mails: readonly MailClaim[],
  limits: MailLimits,
  now: Date,
): Promise<readonly Claimed[]> {
  const given = mails.map(({ address, kind, customerId, messageId }, n) => ({
    n,
    address: address.toString('hex'),
    kind,
    customer_id: customerId,
    message_id: messageId,
  }));
  const claimed = await database.any(sql.prepared('claim-mails', Claimed)`
    with given as materialized (
      select g.n, decode(g.address, 'hex') as address, g.kind, g.customer_id, g.message_id, ${now.toISOString()}::timestamptz as at
      from jsonb_to_recordset(${sql.jsonb(given)}) as g (n integer, address text, kind text, customer_id uuid, message_id uuid)
    ), standing as materialized (
      select given.*, case
        when kind = 'own' or known.confirmed_at is not null then 'own'
        when (select true from refused_address r where r.address = given.address limit 1) then 'refused'
        when known.first_message <> message_id then 'unconfirmed'
        else kind end as result
      from given left join lateral (
        select t.first_message, t.confirmed_at from typed_address t where t.customer_id = given.customer_id and t.address = given.address limit 1
      ) known on true
    ), counted as (
      insert into mail_count as c (address, kind, hour, in_hour, day, in_day, last_message)
      select address, result, date_trunc('hour', at, 'UTC'), 1, date_trunc('day', at, 'UTC'), 1, message_id from standing
      where result in ('own', 'typed', 'contact')
      order by address
      on conflict (address, kind) do update
      set hour = excluded.hour, day = excluded.day, last_message = excluded.last_message,
          in_hour = case when c.hour <> excluded.hour then 1 else c.in_hour + (c.last_message <> excluded.last_message)::integer end,
          in_day = case when c.day <> excluded.day then 1 else c.in_day + (c.last_message <> excluded.last_message)::integer end
      where c.last_message = excluded.last_message or (
        select (c.hour <> excluded.hour or c.in_hour < "inHour") and (c.day <> excluded.day or c.in_day < "inDay")
        from jsonb_to_recordset(${sql.jsonb(rowsOf(limits))}) as l (of text, "inHour" integer, "inDay" integer) where l.of = c.kind)
      returning address, kind
    ), first as (
      insert into typed_address as t (customer_id, address, first_message, at)
      select customer_id, address, message_id, at from standing join counted using (address)
      where counted.kind = 'typed' and customer_id is not null
      order by customer_id
      on conflict (customer_id, address) do update set at = t.at
      returning address, first_message
    )
    select n, case
      when result not in ('own', 'typed', 'contact') then result
      when not exists (select from counted c where c.address = standing.address) then 'limit'
      when (select first_message from first f where f.address = standing.address) <> message_id then 'unconfirmed'
      else result end as result
    from standing order by n`);
  return claimed.map(({ result }) => result);
}

const rowsOf = (limits: MailLimits) => Object.entries(limits).map(([of, limit]) => ({ of, ...limit }));

export const mayBeMailed = (database: Queries, customerId: string, address: Buffer): Promise<boolean> =>
  database.oneFirst(sql.prepared('may-be-mailed', z.object({ may: z.boolean() }))`
    with known as (select confirmed_at from typed_address where customer_id = ${customerId} and address = ${sql.binary(address)})
    select case when exists (select from known) then (select confirmed_at from known) is not null
      else not exists (select from refused_address where address = ${sql.binary(address)}) end as may`);

/** Releases the first mail to a typed address when it was not delivered: the next message may be the first. */
export async function giveFirstMailBack(database: Queries, customerId: string, messageId: string): Promise<void> {
  await database.query(sql.prepared('give-first-mail-back', NoColumns)`
    delete from typed_address where customer_id = ${customerId} and first_message = ${messageId} and confirmed_at is null`);
}

/** Returns false for an address that had no mail. */
export const confirmAddress = async (database: Queries, customerId: string, address: Buffer, now: Date): Promise<boolean> => {
  const { rowCount } = await database.query(sql.prepared('confirm-address', NoColumns)`
    update typed_address set confirmed_at = coalesce(confirmed_at, ${now.toISOString()}::timestamptz)
    where customer_id = ${customerId} and address = ${sql.binary(address)}`);
  return rowCount > 0;
};

/** Stops mail to an address, except to a customer whose sign-in names it. Earlier confirmations become void. */
export async function refuseAddress(database: Queries, address: Buffer, now: Date): Promise<void> {
  await database.query(sql.prepared('refuse-address', NoColumns)`
    with refused as (
      insert into refused_address (address, at) values (${sql.binary(address)}, ${now.toISOString()}) on conflict do nothing
    )
    update typed_address set confirmed_at = null where address = ${sql.binary(address)} and confirmed_at is not null`);
}

export const deleteOldCounts = (database: Queries, before: Date, limit: number): Promise<number> =>
  database.oneFirst(sql.prepared('delete-old-mail-counts', z.object({ deleted: z.number() }))`
    with deleted as (
      delete from mail_count where (address, kind) in (
        select address, kind from mail_count where day < ${before.toISOString()} order by day limit ${limit} for update skip locked
      ) returning 1
    )
    select count(*) as deleted from deleted`);
