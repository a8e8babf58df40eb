import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { deliveryStates } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

export const WaitingEvent = z.object({
  position: z.number(),
  /** Null: for every webhook of the store that takes its type. */
  webhook_id: z.string().nullable(),
  store_id: z.string(),
  event_id: z.string(),
  type: z.string(),
  version: z.number(),
  object: z.string(),
  at: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type WaitingEvent = z.output<typeof WaitingEvent>;

/** Locks the longest waiting events without a number, in order. A concurrent replica waits here and gets the events after them. */
export const lockWaitingEvents = (tx: Transaction, limit: number): Promise<readonly WaitingEvent[]> =>
  tx.any(sql.prepared('lock-waiting-events', WaitingEvent)`
    select position, webhook_id, store_id, event_id, type, version, object, ${instantOf(sql.fragment`at`)} as at, data
    from waiting_event order by position limit ${limit} for update`);

const Numbering = z.object({
  id: z.string(),
  store_id: z.string(),
  types: z.array(z.string()),
  last_number: z.number(),
  has_address: z.boolean(),
});
export type Numbering = z.output<typeof Numbering>;

/** Lock order: by id. */
export const lockWebhooksOf = (tx: Transaction, storeIds: readonly string[]): Promise<readonly Numbering[]> =>
  tx.any(sql.prepared('lock-webhooks-of-stores', Numbering)`
    select id, store_id, types, last_number, url is not null as has_address from webhook
    where store_id = any(${sql.array([...storeIds], 'uuid')}) and ended_at is null order by id for update`);

const Numbered = z.object({ event_id: z.string(), webhook_id: z.string() });

export const selectNumbered = (tx: Transaction, eventIds: readonly string[]): Promise<readonly z.output<typeof Numbered>[]> =>
  tx.any(sql.prepared('numbered-events', Numbered)`
    select event_id, webhook_id from webhook_event where event_id = any(${sql.array([...eventIds], 'uuid')})`);

export interface NewEvent {
  readonly webhook_id: string;
  readonly number: number;
  readonly event_id: string;
  readonly object: string;
  readonly type: string;
  readonly body: string;
  readonly state: 'pending' | 'delivered';
}

/**
 * Writes numbered events, raises the last numbers of their webhooks, and deletes the waiting rows. Webhooks are due as these events are;
 * those that fail, when they may be called.
 */
export async function insertNumberedEvents(
  tx: Transaction,
  { events, positions, giveUpAt }: { readonly events: readonly NewEvent[]; readonly positions: readonly number[]; readonly giveUpAt: Date },
): Promise<void> {
  const now = sql.fragment`${tx.now.toISOString()}::timestamptz`;
  await tx.query(sql.prepared('insert-numbered-events', NoColumns)`
    with gone as (
      delete from waiting_event where position = any(${sql.array([...positions], 'int8')})
    ), written as (
      insert into webhook_event (webhook_id, number, event_id, object, type, body, state, created_at, due_at, give_up_at)
      -- One whose object waits for another attempt waits as long.
      select webhook_id, number, event_id, object, type, body, state, ${now}, greatest(${now}, (
        select max(p.due_at) from webhook_event p where p.webhook_id = e.webhook_id and p.object = e.object and p.state = 'pending'
      )), ${giveUpAt.toISOString()}
      from jsonb_to_recordset(${sql.jsonb(events)}) as e (
        webhook_id uuid, number bigint, event_id uuid, object text, type text, body text, state text)
      returning webhook_id, number, state, due_at
    )
    update webhook w
    set last_number = n.last_number,
        due_at = case when n.due_at is null or w.challenge is not null then w.due_at else greatest(least(w.due_at, n.due_at), w.not_before) end
    from (select webhook_id, max(number) as last_number, min(due_at) filter (where state = 'pending') as due_at from written group by 1) n
    where w.id = n.webhook_id and w.id = any(${sql.array([...new Set(events.map(({ webhook_id }) => webhook_id))], 'uuid')})`);
}

export async function insertWaitingEvent(tx: Transaction, event: Omit<WaitingEvent, 'position'>): Promise<void> {
  await tx.query(sql.prepared('insert-waiting-event', NoColumns)`
    insert into waiting_event (webhook_id, store_id, event_id, type, version, object, at, data)
    values (${event.webhook_id}, ${event.store_id}, ${event.event_id}, ${event.type}, ${event.version}, ${event.object}, ${event.at},
      ${sql.jsonb(event.data)})`);
}

const EventRow = z.object({
  number: z.number(),
  type: z.string(),
  payload: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  next_attempt_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
  status: z.number().nullable(),
  detail: z.string().nullable(),
});
type EventRow = z.output<typeof EventRow>;

export interface Page {
  readonly after: number;
  readonly limit: number;
  readonly state: string | null;
}

export const selectEvents = (queries: Queries, webhookId: string, { after, limit, state }: Page): Promise<readonly EventRow[]> =>
  queries.any(sql.prepared('list-webhook-events', EventRow)`
    select e.number, e.type, e.body as payload, e.state, e.attempts,
      case when e.state = 'pending' and w.ended_at is null and w.challenge is null then ${instantOf(sql.fragment`greatest(e.due_at, w.due_at)`)} end as next_attempt_at,
      ${instantOf(sql.fragment`e.delivered_at`)} as delivered_at, e.status, e.detail
    from webhook_event e left join lateral (select ended_at, challenge, due_at from webhook where id = e.webhook_id limit 1) w on true
    where e.webhook_id = ${webhookId} and e.number > ${after} and (${state}::text is null or e.state = ${state})
    order by e.number limit ${limit}`);

const Range = z.object({ first_number: z.number(), last_number: z.number(), secret_number: z.number() });

/** Null when the store has no such webhook. */
export const selectRange = (queries: Queries, storeId: string, webhookId: string): Promise<z.output<typeof Range> | null> =>
  queries.maybeOne(sql.prepared('webhook-range', Range)`
    select coalesce((select min(number) from webhook_event where webhook_id = w.id), w.last_number + 1) as first_number, w.last_number, w.secret_number
    from webhook w where w.id = ${webhookId} and w.store_id = ${storeId}`);

const Digest = z.object({ count: z.number(), hash: z.string() });

/** Hashes a line for each event: the number, a space, the SHA-256 of the body in hex, a line feed. */
export const readDigest = (queries: Queries, webhookId: string, from: number, to: number): Promise<z.output<typeof Digest>> =>
  queries.one(sql.prepared('webhook-digest', Digest)`
    select count(*) as count, encode(sha256(convert_to(coalesce(string_agg(
      number || ' ' || encode(sha256(convert_to(body, 'UTF8')), 'hex') || e'\\n', '' order by number), ''), 'UTF8')), 'hex') as hash
    from webhook_event where webhook_id = ${webhookId} and number between ${from} and ${to}`);

export const reopenEvent = async (tx: Transaction, webhookId: string, number: number, giveUpAt: Date): Promise<boolean> =>
  (await tx.maybeOneFirst(sql.prepared('reopen-webhook-event', z.object({ number: z.number() }))`
    update webhook_event set state = 'pending', attempts = 0, due_at = ${tx.now.toISOString()}, give_up_at = ${giveUpAt.toISOString()}, delivered_at = null
    where webhook_id = ${webhookId} and number = ${number} returning number`)) !== null;

const Deleted = z.object({ deleted: z.number() });

/**
 * Deletes some of `limit` events older than an instant, with all of lower numbers, so that the rest has no gaps. Then webhooks that ended
 * before it. Returns how many events.
 */
export const deleteOldEvents = (queries: Queries, before: Date, limit: number): Promise<number> =>
  queries.oneFirst(sql.prepared('delete-old-webhook-events', Deleted)`
    with old as materialized (
      select webhook_id, max(number) as number from (
        select webhook_id, number from webhook_event where created_at < ${before.toISOString()} order by created_at limit ${limit}
      ) o group by 1
    ), deleted as (
      delete from webhook_event e using old o where e.webhook_id = o.webhook_id and e.number <= o.number returning 1
    )
    select count(*) as deleted from deleted`);

export async function deleteOldWebhooks(queries: Queries, before: Date): Promise<void> {
  await queries.query(sql.prepared('delete-old-webhooks', NoColumns)`
    delete from webhook where id = any(array(
      select w.id from webhook w left join lateral (select number from webhook_event where webhook_id = w.id limit 1) e on true
      where w.ended_at < ${before.toISOString()} and e.number is null order by w.ended_at limit 1000))`);
}
