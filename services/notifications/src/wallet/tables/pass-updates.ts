import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { WalletName } from '../adapters/wallets.ts';
import { mostAttempts, pauseMs } from '../rules/retry-delay.ts';

const none = z.object({});

/** Milliseconds a change waits for further ones of the same pass. */
export const coalesceMs = 2_000;
/** Passes numbered by one statement, and notices taken by one. */
const batch = 100;
/** Milliseconds after which a notice that was taken and never settled is taken again. */
const leaseMs = 60_000;

/**
 * Numbers passes whose first untold change is long enough ago, and has each wallet told of them. All of one call share a number.
 * Answers how many there were.
 */
export async function raiseNotices(database: Queries, at: Date, wallets: readonly WalletName[]): Promise<number> {
  const raised = await database.any(sql.prepared('raise-pass-notices', z.object({ serial: z.string() }))`
    with ripe as (
      select serial from pass
      where changed_at <= ${new Date(at.getTime() - coalesceMs).toISOString()}
      order by changed_at limit ${batch}
      for update skip locked
    ),
    counted as (
      update pass_count set seq = seq + 1 where exists (select from ripe) returning seq
    ),
    numbered as (
      update pass set updated_seq = counted.seq, changed_at = null
      from ripe, counted
      where pass.serial = ripe.serial
      returning pass.serial
    ),
    told as (
      insert into pass_notice as n (serial, wallet, due_at)
      select numbered.serial, w.name, ${at.toISOString()}
      from numbered cross join unnest(${sql.array([...wallets], 'text')}) w (name)
      where w.name <> 'apple' or exists (select from pass_device d where d.serial = numbered.serial)
      on conflict (serial, wallet) do update
      set wanted = n.wanted + 1,
          due_at = case when n.gave_up_at is null then n.due_at else excluded.due_at end,
          attempts = case when n.gave_up_at is null then n.attempts else 0 end,
          gave_up_at = null
    )
    select serial from numbered`);
  return raised.length;
}

const Notice = z.object({ serial: z.string(), wallet: z.enum(['apple', 'google']), wanted: z.number(), attempts: z.number() });
export type Notice = z.output<typeof Notice>;

/** Takes notices that are due. One that is never settled comes back after a while. */
export const takeNotices = (database: Queries, at: Date, wallets: readonly WalletName[]): Promise<readonly Notice[]> =>
  database.any(sql.prepared('take-pass-notices', Notice)`
    update pass_notice n
    set due_at = ${new Date(at.getTime() + leaseMs).toISOString()}, attempts = n.attempts + 1
    from (
      select serial, wallet from pass_notice
      where gave_up_at is null and due_at <= ${at.toISOString()} and wallet = any(${sql.array([...wallets], 'text')})
      order by due_at limit ${batch}
      for update skip locked
    ) due
    where n.serial = due.serial and n.wallet = due.wallet
    returning n.serial, n.wallet, n.wanted, n.attempts`);

/** The wallet has been told. What changed meanwhile is told at once. */
export async function settleNotice(database: Queries, { serial, wallet, wanted }: Notice, at: Date): Promise<void> {
  await database.query(sql.prepared('settle-pass-notice', none)`
    with settled as (
      delete from pass_notice where serial = ${serial} and wallet = ${wallet} and wanted = ${wanted} returning 1
    )
    update pass_notice set due_at = ${at.toISOString()}, attempts = 0
    where serial = ${serial} and wallet = ${wallet} and wanted > ${wanted}`);
}

/**
 * The wallet could not be told: later, or after the last try never, until the pass changes again, which it may have done while
 * it was told. Answers whether it was given up.
 */
export async function putOffNotice(database: Queries, { serial, wallet, wanted, attempts }: Notice, at: Date): Promise<boolean> {
  const last = attempts >= mostAttempts ? at.toISOString() : null;
  const gaveUp = await database.maybeOneFirst(sql.prepared('put-off-pass-notice', z.object({ gave_up: z.boolean() }))`
    update pass_notice
    set due_at = ${new Date(at.getTime() + pauseMs(attempts)).toISOString()},
        attempts = case when wanted > ${wanted} then 0 else attempts end,
        gave_up_at = case when wanted > ${wanted} then null else ${last}::timestamptz end
    where serial = ${serial} and wallet = ${wallet}
    returning gave_up_at is not null as gave_up`);
  return gaveUp === true;
}
