import { NoColumns, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { WalletName } from '../rules.ts';

/**
 * Milliseconds: a changed pass waits for further changes, and an update that was taken and never finished is taken again after the lease.
 */
export const coalesceMs = 2_000;

const batchSize = 100;
const leaseMs = 60_000;

const Created = z.object({ serial: z.string() });

/**
 * Gives passes that changed two seconds ago one new update tag, and each an update for its wallets. Lock order: the counter's row last,
 * held until the commit, so that tags become visible in order. Returns how many passes.
 */
export async function createPassUpdates(database: Queries, now: Date, wallets: readonly WalletName[]): Promise<number> {
  const tagged = await database.any(sql.prepared('create-pass-updates', Created)`
    with changed as (
      select serial from pass
      where changed_at <= ${new Date(now.getTime() - coalesceMs).toISOString()}
      order by changed_at limit ${batchSize}
      for update skip locked
    ), counter as (
      update pass_update_counter set last_tag = last_tag + 1 where singleton and exists (select from changed) returning last_tag
    ), tagged as (
      update pass set update_tag = counter.last_tag, changed_at = null
      from counter
      where pass.serial = any(array(select serial from changed))
      returning pass.serial
    ), inserted as (
      insert into pass_update as u (serial, wallet, due_at)
      select tagged.serial, w.name, ${now.toISOString()}
      from tagged cross join unnest(${sql.array([...wallets], 'text')}) w (name)
      where w.name <> 'apple' or (select count(*) from pass_device d where d.serial = tagged.serial) > 0
      on conflict (serial, wallet) do update
      set version = u.version + 1,
          due_at = case when u.failed_at is null then u.due_at else excluded.due_at end,
          attempts = case when u.failed_at is null then u.attempts else 0 end,
          failed_at = null
    )
    select serial from tagged`);
  return tagged.length;
}

const PassUpdate = z.object({
  serial: z.string(),
  wallet: z.enum(['apple', 'google']),
  version: z.number(),
  attempts: z.number(),
});
export type PassUpdate = z.output<typeof PassUpdate>;

export const takePassUpdates = (database: Queries, now: Date, wallets: readonly WalletName[]): Promise<readonly PassUpdate[]> =>
  database.any(sql.prepared('take-pass-updates', PassUpdate)`
    with due as materialized (
      select serial, wallet from pass_update
      where failed_at is null and due_at <= ${now.toISOString()} and wallet = any(${sql.array([...wallets], 'text')})
      order by due_at limit ${batchSize}
      for update skip locked
    )
    update pass_update u
    set due_at = ${new Date(now.getTime() + leaseMs).toISOString()}, attempts = u.attempts + 1
    from due
    where u.serial = any(array(select serial from due)) and u.serial = due.serial and u.wallet = due.wallet
    returning u.serial, u.wallet, u.version, u.attempts`);

export async function finishPassUpdate(database: Queries, { serial, wallet, version }: PassUpdate, now: Date): Promise<void> {
  await database.query(sql.prepared('finish-pass-update', NoColumns)`
    with finished as (
      delete from pass_update where serial = ${serial} and wallet = ${wallet} and version = ${version} returning 1
    )
    update pass_update set due_at = ${now.toISOString()}, attempts = 0
    where serial = ${serial} and wallet = ${wallet} and version > ${version}`);
}

/** Postpones a failed update; with `failedAt`, until the pass changes, unless it did during the attempt. Returns whether it has failed. */
export async function postponePassUpdate(
  database: Queries,
  { serial, wallet, version }: PassUpdate,
  { dueAt, failedAt }: { readonly dueAt: Date; readonly failedAt: Date | null },
): Promise<boolean> {
  const failed = await database.maybeOneFirst(sql.prepared('postpone-pass-update', z.object({ failed: z.boolean() }))`
    update pass_update
    set due_at = ${dueAt.toISOString()},
        attempts = case when version > ${version} then 0 else attempts end,
        failed_at = case when version > ${version} then null else ${failedAt?.toISOString() ?? null}::timestamptz end
    where serial = ${serial} and wallet = ${wallet}
    returning failed_at is not null as failed`);
  return failed === true;
}

/** Begins an update that marks passes as changed. Versions are at least a second apart; `changed_at` is the first untagged change. */
export const passesChangedSql = (now: Date) => sql.fragment`
  update pass
  set modified_at = greatest(date_trunc('second', ${now.toISOString()}::timestamptz), pass.modified_at + interval '1 second'),
      changed_at = coalesce(pass.changed_at, ${now.toISOString()}::timestamptz)`;
