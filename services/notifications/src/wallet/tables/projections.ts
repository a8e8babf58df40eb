import { NoColumns, type Transaction } from '@corner/chassis';
import type { DataOf, directoryProgramme, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import type { VoucherState } from '../rules.ts';
import { passesChangedSql } from './pass-updates.ts';

export async function upsertStoreDesign(tx: Transaction, { id, version, name, branding }: DataOf<typeof directoryStore>): Promise<number> {
  const background = branding.background_color ?? branding.primary_color;
  const { rowCount } = await tx.query(sql.prepared('upsert-store-design', NoColumns)`
    with upserted as (
      insert into pass_design as d (store_id, store_version, name, logo_url, background)
      values (${id}, ${version}, ${name}, ${branding.logo_url}, ${background})
      on conflict (store_id) do update
      set store_version = excluded.store_version, name = excluded.name, logo_url = excluded.logo_url, background = excluded.background
      where d.store_version < excluded.store_version
      returning store_id, (old.name, old.logo_url, old.background) is distinct from (new.name, new.logo_url, new.background) as visible
    )
    ${passesChangedSql(tx.now)}
    from upserted
    where pass.store_id = ${id} and upserted.visible`);
  return rowCount;
}

/** Returns how many stamp cards look different and were marked as changed. */
export async function upsertProgrammeDesign(tx: Transaction, programme: DataOf<typeof directoryProgramme>): Promise<number> {
  const storeIds = sql.array([...programme.store_ids], 'uuid');
  const { rowCount } = await tx.query(sql.prepared('upsert-programme-design', NoColumns)`
    with upserted as (
      insert into pass_design as d (store_id, programme_version, goal, reward_title)
      values (${programme.store_id}, ${programme.version}, ${programme.goal}, ${programme.reward_title})
      on conflict (store_id) do update
      set programme_version = excluded.programme_version, goal = excluded.goal, reward_title = excluded.reward_title
      -- The same version again brings its further stores, which were not kept before.
      where d.programme_version <= excluded.programme_version
      returning store_id, (old.goal, old.reward_title) is distinct from (new.goal, new.reward_title) as visible
    ), departed as (
      delete from programme_store where programme_id in (select store_id from upserted) and store_id <> all(${storeIds})
    ), joined as (
      insert into programme_store (store_id, programme_id)
      select distinct n.id, u.store_id from upserted u, unnest(${storeIds}) n (id) where n.id <> u.store_id order by 1
      on conflict (store_id) do update set programme_id = excluded.programme_id
    )
    ${passesChangedSql(tx.now)}
    from upserted
    where pass.store_id = ${programme.store_id} and upserted.visible and pass.kind = 'stamp_card'`);
  return rowCount;
}

export interface Card {
  readonly customerId: string;
  readonly storeId: string;
  readonly sequence: number;
  readonly stamps: number;
  readonly goal: number;
}

/**
 * Upserts newer counts of cards, marks their passes as changed and returns how many. Each pass is looked up by its key: a join is planned
 * as a scan of every pass while the table is young.
 */
export async function upsertCards(tx: Transaction, cards: readonly Card[]): Promise<number> {
  const { rowCount } = await tx.query(sql.prepared('upsert-pass-cards', NoColumns)`
    with upserted as (
      insert into pass_card as c (customer_id, store_id, sequence, stamps, goal)
      select distinct on (n."customerId", n."storeId") n."customerId", n."storeId", n.sequence, n.stamps, n.goal
      from jsonb_to_recordset(${sql.jsonb(cards)}) as n ("customerId" uuid, "storeId" uuid, sequence bigint, stamps int, goal int)
      order by n."customerId", n."storeId", n.sequence desc
      on conflict (customer_id, store_id) do update
      set sequence = excluded.sequence, stamps = excluded.stamps, goal = excluded.goal
      where c.sequence < excluded.sequence
      returning customer_id, store_id
    ), changed as (
      select (select p.serial from pass p where p.customer_id = u.customer_id and p.store_id = u.store_id and p.voucher_id is null) as serial
      from upserted u
    )
    ${passesChangedSql(tx.now)}
    where pass.serial = any(array(select serial from changed where serial is not null order by serial))`);
  return rowCount;
}

export interface Voucher {
  readonly customerId: string;
  readonly storeId: string;
  readonly sequence: number;
  readonly voucherId: string;
  readonly rewardTitle: string | null;
  readonly state: VoucherState;
  /** True when the event minted the voucher. Minting takes stamps off the card's count, however late the event arrives. */
  readonly minted: boolean;
}

export async function upsertVoucher(tx: Transaction, voucher: Voucher): Promise<number> {
  const { voucherId, customerId, storeId, sequence, rewardTitle, state } = voucher;
  const mintedSequence = voucher.minted ? sequence : null;
  const { rowCount } = await tx.query(sql.prepared('upsert-pass-voucher', NoColumns)`
    with upserted as (
      insert into pass_voucher as v (voucher_id, customer_id, store_id, sequence, minted_sequence, reward_title, state)
      values (${voucherId}, ${customerId}, ${storeId}, ${sequence}, ${mintedSequence}, ${rewardTitle}, ${state})
      on conflict (voucher_id) do update
      set sequence = greatest(v.sequence, excluded.sequence),
          minted_sequence = coalesce(v.minted_sequence, excluded.minted_sequence),
          reward_title = case when excluded.sequence > v.sequence then excluded.reward_title else v.reward_title end,
          state = case when excluded.sequence > v.sequence then excluded.state else v.state end
      where excluded.sequence > v.sequence or (v.minted_sequence is null and excluded.minted_sequence is not null)
      returning voucher_id, customer_id, store_id
    )
    ${passesChangedSql(tx.now)}
    from upserted
    where pass.customer_id = ${customerId} and pass.store_id = ${storeId} and (pass.voucher_id is null or pass.voucher_id = upserted.voucher_id)`);
  return rowCount;
}
