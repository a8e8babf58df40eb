import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { PassState } from '../rules/pass-state.ts';

const Row = z.object({
  serial: z.string(),
  kind: z.enum(['stamp_card', 'voucher']),
  customerId: z.string(),
  storeId: z.string(),
  voucherId: z.string().nullable(),
  authToken: z.string(),
  modifiedAt: z.string(),
  storeName: z.string(),
  logoUrl: z.string().nullable(),
  background: z.string().nullable(),
  stamps: z.number(),
  goal: z.number().nullable(),
  rewardTitle: z.string().nullable(),
  activeVouchers: z.number(),
  state: z.enum(['active', 'redeemed', 'voided', 'expired']),
}) satisfies z.ZodType<PassState>;

/** Reads passes called p as they stand. A voucher minted after the count was told has taken its stamps off since. */
const standing = sql.fragment`
  select p.serial, p.kind, p.customer_id as "customerId", p.store_id as "storeId", p.voucher_id as "voucherId", p.auth_token as "authToken",
    to_char(p.modified_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "modifiedAt",
    coalesce(d.name, 'Unknown') as "storeName", d.logo_url as "logoUrl", d.background, coalesce(d.goal, c.goal) as goal,
    coalesce(greatest(0, c.stamps - c.goal * card.minted_since), 0) as stamps, card.active as "activeVouchers",
    case when p.kind = 'voucher' then v.reward_title else d.reward_title end as "rewardTitle", coalesce(v.state, 'active') as state
  from pass p
  left join pass_design d on d.store_id = p.store_id
  left join pass_card c on c.customer_id = p.customer_id and c.store_id = p.store_id
  left join pass_voucher v on v.voucher_id = p.voucher_id
  cross join lateral (
    select count(*) filter (where o.minted_sequence > c.sequence)::int as minted_since, count(*) filter (where o.state = 'active')::int as active
    from pass_voucher o
    where o.customer_id = p.customer_id and o.store_id = p.store_id
  ) card`;

/** One pass as it stands. */
export const passBySerial = (database: Queries, serial: string): Promise<PassState | null> =>
  database.maybeOne(sql.prepared('pass-by-serial', Row)`${standing} where p.serial = ${serial}`);

/** Whether a store is known that a pass could be of. */
export const isStoreOfPasses = (database: Queries, storeId: string): Promise<boolean> =>
  database.exists(sql.prepared('store-of-passes', z.object({}))`
    select 1 from pass_design where store_id = ${storeId} and name is not null`);

/** Most passes made by one request; the next request makes the others. */
const mostMade = 20;

/** The vouchers of a card that can be used and have no pass yet, and null for its stamp card when that has none. */
export async function passesMissing(database: Queries, customerId: string, storeId: string): Promise<readonly (string | null)[]> {
  const rows = await database.any(sql.prepared('passes-missing', z.object({ voucher_id: z.string().nullable() }))`
    select w.voucher_id
    from (
      select null::uuid as voucher_id
      union all
      select voucher_id from pass_voucher where customer_id = ${customerId} and store_id = ${storeId} and state = 'active'
    ) w
    where not exists (
      select 1 from pass p
      where p.customer_id = ${customerId} and p.store_id = ${storeId} and p.voucher_id is not distinct from w.voucher_id
    )
    limit ${mostMade}`);
  return rows.map(({ voucher_id }) => voucher_id);
}

export interface NewPass {
  readonly serial: string;
  readonly voucherId: string | null;
  readonly authToken: string;
}

/** Makes passes; one that somebody else made meanwhile stays as it is. `toGoogle` has each made there too. */
export async function makePasses(
  database: Queries,
  customerId: string,
  storeId: string,
  passes: readonly NewPass[],
  at: Date,
  toGoogle: boolean,
): Promise<void> {
  await database.query(sql.prepared('make-passes', z.object({}))`
    with made as (
      insert into pass (serial, kind, customer_id, store_id, voucher_id, auth_token, modified_at)
      select n.serial, case when n."voucherId" is null then 'stamp_card' else 'voucher' end, ${customerId}, ${storeId}, n."voucherId",
        n."authToken", date_trunc('second', ${at.toISOString()}::timestamptz)
      from jsonb_to_recordset(${sql.jsonb(passes as never)}) n (serial uuid, "voucherId" uuid, "authToken" text)
      on conflict (customer_id, store_id, voucher_id) do nothing
      returning serial
    )
    insert into pass_notice (serial, wallet, due_at)
    select serial, 'google', ${at.toISOString()} from made where ${toGoogle}`);
}

/** A customer’s passes at a store: the stamp card, then the vouchers that can be used. */
export const passesOf = (database: Queries, customerId: string, storeId: string): Promise<readonly PassState[]> =>
  database.any(sql.prepared('passes-of', Row)`
    ${standing}
    where p.customer_id = ${customerId} and p.store_id = ${storeId} and (p.kind = 'stamp_card' or v.state = 'active')
    order by p.kind, p.serial`);
