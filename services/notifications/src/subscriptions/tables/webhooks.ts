import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { webhookStates } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';

const WebhookRow = z.object({
  id: z.string(),
  url: z.string().nullable(),
  types: z.array(z.string()),
  description: z.string(),
  state: z.enum(webhookStates),
  last_number: z.number(),
  waiting: z.number(),
  dead: z.number(),
  old_secret_until: z.string().nullable(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
});
export type WebhookRow = z.output<typeof WebhookRow>;

const Id = z.object({ id: z.string() });

const webhooksSql = (where: FragmentSqlToken, now: Date) => sql.fragment`
  select w.id, w.url, w.types, w.description, w.last_number,
    case when w.ended_at is not null then 'ended' when w.challenge is not null then 'unconfirmed' when w.failures > 0 then 'failing' else 'active' end as state,
    (select count(*)::int from webhook_event e where e.webhook_id = w.id and e.state = 'pending') as waiting,
    (select count(*)::int from webhook_event e where e.webhook_id = w.id and e.state = 'dead') as dead,
    case when w.old_secret_until > ${now.toISOString()} then ${instantOf(sql.fragment`w.old_secret_until`)} end as old_secret_until,
    ${instantOf(sql.fragment`w.created_at`)} as created_at, ${instantOf(sql.fragment`w.ended_at`)} as ended_at
  from webhook w where ${where}
  order by w.ended_at is not null, w.created_at, w.id`;

export const selectWebhooks = (queries: Queries, storeId: string, now: Date): Promise<readonly WebhookRow[]> =>
  queries.any(sql.prepared('list-webhooks', WebhookRow)`${webhooksSql(sql.fragment`w.store_id = ${storeId}`, now)}`);

export const selectWebhook = (queries: Queries, storeId: string, id: string, now: Date): Promise<WebhookRow | null> =>
  queries.maybeOne(sql.prepared('read-webhook', WebhookRow)`${webhooksSql(sql.fragment`w.id = ${id} and w.store_id = ${storeId}`, now)}`);

/**
 * `requestKey` is the caller with their Idempotency-Key; null without a key, when nothing is a repeat. The challenge is null without an
 * address.
 */
export interface NewWebhook {
  readonly id: string;
  readonly storeId: string;
  readonly url: string | null;
  readonly types: readonly string[];
  readonly description: string;
  readonly requestKey: string | null;
  readonly challenge: string | null;
}

/**
 * Locks a store until the transaction ends, so that its webhooks are counted by one request at a time. Returns false for an unknown store.
 */
export const lockStore = async (tx: Transaction, storeId: string): Promise<boolean> =>
  (await tx.maybeOneFirst(sql.prepared('lock-store', Id)`select id from store where id = ${storeId} for no key update`)) !== null;

export const findWebhookOfRequest = (tx: Transaction, storeId: string, requestKey: string): Promise<string | null> =>
  tx.maybeOneFirst(sql.prepared('find-webhook-of-request', Id)`
    select id from webhook where store_id = ${storeId} and request_key = ${requestKey}`);

export const countActiveWebhooks = (tx: Transaction, storeId: string): Promise<number> =>
  tx.oneFirst(sql.prepared('count-active-webhooks', z.object({ active: z.number() }))`
    select count(*) as active from webhook where store_id = ${storeId} and ended_at is null`);

export async function insertWebhook(
  tx: Transaction,
  { id, storeId, url, types, description, requestKey, challenge }: NewWebhook,
): Promise<void> {
  await tx.query(sql.prepared('insert-webhook', NoColumns)`
    insert into webhook (id, store_id, url, types, description, request_key, challenge, created_at)
    values (${id}, ${storeId}, ${url}, ${sql.array([...types], 'text')}, ${description}, ${requestKey}, ${challenge}, ${tx.now.toISOString()})`);
}

const LockedWebhook = z.object({
  id: z.string(),
  url: z.string().nullable(),
  is_ended: z.boolean(),
  challenge: z.string().nullable(),
  secret_number: z.number(),
  rotation_key: z.string().nullable(),
});

export const lockWebhook = (tx: Transaction, storeId: string, id: string): Promise<z.output<typeof LockedWebhook> | null> =>
  tx.maybeOne(sql.prepared('lock-webhook', LockedWebhook)`
    select id, url, ended_at is not null as is_ended, challenge, secret_number, rotation_key from webhook where id = ${id} and store_id = ${storeId} for update`);

/** `url`: undefined when the address stays, null for none. The challenge is undefined when the receiver stays. */
export interface WebhookChanges {
  readonly url?: string | null | undefined;
  readonly types?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly challenge?: string | undefined;
}

/**
 * Changes a locked webhook and reactivates it. Its pending events are due at once if the address changed, and can only be read if it no
 * longer has one.
 */
export async function changeWebhook(tx: Transaction, id: string, { url, types, description, challenge }: WebhookChanges): Promise<void> {
  const moved = url !== undefined;
  await tx.query(sql.prepared('change-webhook', NoColumns)`
    with hurried as (
      update webhook_event set due_at = ${tx.now.toISOString()}, state = case when ${url === null} then 'delivered' else state end
      where webhook_id = ${id} and state = 'pending' and ${moved}
    )
    update webhook
    set url = case when ${moved} then ${url ?? null} else url end, types = coalesce(${types ? sql.array([...types], 'text') : null}::text[], types),
        description = coalesce(${description ?? null}, description), ended_at = null,
        challenge = case when ${url === null} then null else coalesce(${challenge ?? null}, challenge) end,
        failures = case when ${moved} then 0 else failures end, not_before = case when ${moved} then null else not_before end, troubled = case when ${moved} then false else troubled end,
        due_at = case when ${url !== null}::boolean and coalesce(${challenge ?? null}, challenge) is not null then null
          when ${moved} or ended_at is not null then ${tx.now.toISOString()} else due_at end
    where id = ${id}`);
}

export async function endWebhook(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql.prepared('end-webhook', NoColumns)`
    update webhook set ended_at = coalesce(ended_at, ${tx.now.toISOString()}), due_at = null where id = ${id}`);
}

/** The previous secret signs as well until `oldUntil`. Returns the number of the new one. */
export const replaceSecret = (tx: Transaction, id: string, oldUntil: Date, rotationKey: string | null): Promise<number> =>
  tx.oneFirst(sql.prepared('replace-webhook-secret', z.object({ secret_number: z.number() }))`
    update webhook set secret_number = secret_number + 1, old_secret_until = ${oldUntil.toISOString()}, rotation_key = ${rotationKey}
    where id = ${id} returning secret_number`);

export async function hurryWebhook(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql.prepared('hurry-webhook', NoColumns)`
    update webhook set due_at = ${tx.now.toISOString()} where id = ${id} and ended_at is null and challenge is null`);
}

const Challenge = z.object({ url: z.string(), challenge: z.string(), secret_number: z.number() });

export const selectChallenge = (
  queries: Queries,
  { storeId, id }: { readonly storeId: string; readonly id: string },
): Promise<z.output<typeof Challenge> | null> =>
  queries.maybeOne(sql.prepared('select-webhook-challenge', Challenge)`
    select url, challenge, secret_number from webhook
    where id = ${id} and store_id = ${storeId} and url is not null and challenge is not null and ended_at is null`);

export async function confirmReceiver(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql.prepared('confirm-webhook', NoColumns)`
    update webhook set challenge = null, due_at = ${tx.now.toISOString()} where id = ${id}`);
}
