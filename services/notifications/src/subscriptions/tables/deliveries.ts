import { NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

/** True when an event waits for its number or a webhook is due. An idle run of the job makes only this statement. */
export const isWorkDue = (queries: Queries, now: Date): Promise<boolean> =>
  queries.oneFirst(sql.prepared('webhook-work-due', z.object({ is_due: z.boolean() }))`
    select coalesce(
      (select true from waiting_event order by position limit 1),
      (select true from webhook where troubled = false and due_at <= ${now.toISOString()} order by due_at limit 1),
      (select true from webhook where troubled = true and due_at <= ${now.toISOString()} order by due_at limit 1),
      false) as is_due`);

export interface Claim {
  readonly token: string;
  readonly now: Date;
  readonly leasedUntil: Date;
  /** True for only those webhooks that fail or are slow, false for only the others. */
  readonly troubled: boolean;
  readonly limit: number;
}

const ClaimedWebhook = z.object({
  id: z.string(),
  url: z.string(),
  failures: z.number(),
  secret_number: z.number(),
  signs_with_old_secret: z.boolean(),
});
export type ClaimedWebhook = z.output<typeof ClaimedWebhook>;

/** Leases due webhooks, longest waiting first. Another replica's are skipped until its lease ends. */
export const claimWebhooks = (queries: Queries, { token, now, leasedUntil, troubled, limit }: Claim): Promise<readonly ClaimedWebhook[]> =>
  queries.any(sql.prepared('claim-webhooks', ClaimedWebhook)`
    with due as materialized (
      select id from webhook
      where troubled = ${troubled} and due_at <= ${now.toISOString()} and (leased_until is null or leased_until <= ${now.toISOString()})
      order by due_at limit ${limit} for update skip locked
    )
    update webhook w set lease_token = ${token}, leased_until = ${leasedUntil.toISOString()}
    where w.id = any(array(select id from due)) and w.url is not null and w.ended_at is null and w.challenge is null
    returning w.id, w.url, w.failures, w.secret_number, coalesce(w.old_secret_until > ${now.toISOString()}, false) as signs_with_old_secret`);

const DueEvent = z.object({ number: z.number(), object: z.string(), body: z.string(), attempts: z.number(), give_up_at: z.string() });
export type DueEvent = z.output<typeof DueEvent>;

/** Events of an object that waits for another attempt are not due. */
export const selectDueEvents = (queries: Queries, webhookId: string, now: Date, limit: number): Promise<readonly DueEvent[]> =>
  queries.any(sql.prepared('due-webhook-events', DueEvent)`
    select number, object, body, attempts, give_up_at::text as give_up_at from webhook_event
    where webhook_id = ${webhookId} and state = 'pending' and due_at <= ${now.toISOString()} order by number limit ${limit}`);

export interface Attempted {
  readonly number: number;
  readonly state: 'pending' | 'delivered' | 'dead';
  readonly attempts: number;
  readonly due_at: string;
  readonly status: number | null;
  readonly detail: string;
}

/** Returns false when another lease has taken over. */
export const lockLeased = async (tx: Transaction, webhookId: string, token: string): Promise<boolean> =>
  (await tx.maybeOneFirst(sql.prepared('lock-leased-webhook', z.object({ id: z.string() }))`
    select id from webhook where id = ${webhookId} and lease_token = ${token} for update`)) !== null;

export async function recordAttempts(tx: Transaction, webhookId: string, attempted: readonly Attempted[]): Promise<void> {
  await tx.query(sql.prepared('record-webhook-attempts', NoColumns)`
    update webhook_event e
    set state = a.state, attempts = a.attempts, due_at = a.due_at, status = a.status, detail = a.detail,
        delivered_at = case when a.state = 'delivered' then ${tx.now.toISOString()}::timestamptz end
    from jsonb_to_recordset(${sql.jsonb(attempted)}) as a (
      number bigint, state text, attempts integer, due_at timestamptz, status integer, detail text)
    where e.webhook_id = ${webhookId} and e.number = any(${sql.array(
      attempted.map(({ number }) => number),
      'int8',
    )}) and e.number = a.number and e.state = 'pending'`);
}

/** Postpones the later events of objects until the next attempt of the earlier one that failed, so that they are delivered in order. */
export async function postponeObjects(
  tx: Transaction,
  webhookId: string,
  failed: readonly (Pick<Attempted, 'number' | 'due_at'> & { readonly object: string })[],
) {
  await tx.query(sql.prepared('postpone-webhook-objects', NoColumns)`
    update webhook_event e set due_at = f.due_at
    from jsonb_to_recordset(${sql.jsonb(failed)}) as f (number bigint, object text, due_at timestamptz)
    where e.webhook_id = ${webhookId} and e.object = any(${sql.array(
      failed.map(({ object }) => object),
      'text',
    )}) and e.object = f.object and e.number > f.number and e.state = 'pending' and e.due_at < f.due_at`);
}

export async function giveUpEvents(
  tx: Transaction,
  webhookId: string,
  { status, detail }: Pick<Attempted, 'status' | 'detail'>,
): Promise<void> {
  await tx.query(sql.prepared('give-up-webhook-events', NoColumns)`
    update webhook_event set state = 'dead', status = ${status}, detail = ${detail}
    where webhook_id = ${webhookId} and number = any(array(
      select number from webhook_event
      where webhook_id = ${webhookId} and state = 'pending' and give_up_at <= ${tx.now.toISOString()} order by number limit 1000))`);
}

/** `ends`: the receiver responded 410. `notBefore` is null when the webhook is due as soon as an event is. */
export interface GivenBack {
  readonly failures: number;
  readonly troubled: boolean;
  readonly ends: boolean;
  readonly notBefore: Date | null;
}

export async function giveBackWebhook(
  tx: Transaction,
  webhookId: string,
  { failures, troubled, ends, notBefore }: GivenBack,
): Promise<void> {
  await tx.query(sql.prepared('give-back-webhook', NoColumns)`
    update webhook w
    set lease_token = null, leased_until = null, failures = ${failures}, troubled = ${troubled}, not_before = ${notBefore?.toISOString() ?? null},
        ended_at = case when ${ends} then coalesce(w.ended_at, ${tx.now.toISOString()}) else w.ended_at end,
        due_at = case when w.ended_at is null and w.challenge is null and not ${ends} then (
          select greatest(min(e.due_at), ${notBefore?.toISOString() ?? null}::timestamptz) from webhook_event e where e.webhook_id = w.id and e.state = 'pending'
          having count(*) > 0) end
    where w.id = ${webhookId}`);
}
