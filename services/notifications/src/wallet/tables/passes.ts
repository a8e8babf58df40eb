import { NoColumns, type Queries } from '@corner/chassis';
import { languages } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { PassState } from '../rules.ts';

const Row = z.object({
  serial: z.string(),
  kind: z.enum(['stamp_card', 'voucher']),
  customerId: z.string(),
  storeId: z.string(),
  voucherId: z.string().nullable(),
  authToken: z.string(),
  modifiedAt: z.string(),
  storeName: z.string(),
  language: z.enum(languages),
  logoUrl: z.string().nullable(),
  background: z.string().nullable(),
  stamps: z.number(),
  goal: z.number().nullable(),
  rewardTitle: z.string().nullable(),
  activeVouchers: z.number(),
  state: z.enum(['active', 'redeemed', 'voided', 'expired']),
}) satisfies z.ZodType<PassState>;

/** Passes p with their content. A voucher minted after the card's last count has taken its stamps off that count. */
const passes = sql.fragment`
  select p.serial, p.kind, p.customer_id as "customerId", p.store_id as "storeId", p.voucher_id as "voucherId", p.auth_token as "authToken",
    to_char(p.modified_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "modifiedAt",
    coalesce(d.name, 'Unknown') as "storeName", coalesce((select s.language from store s where s.id = p.store_id), 'en') as language, d.logo_url as "logoUrl", d.background, coalesce(d.goal, c.goal) as goal,
    coalesce(greatest(0, c.stamps - c.goal * card.minted_since), 0) as stamps, card.active as "activeVouchers",
    case when p.kind = 'voucher' then v.reward_title else d.reward_title end as "rewardTitle", 
    case when p.voided_at is null then coalesce(v.state, 'active') else 'voided' end as state
  from pass p
  left join pass_design d on d.store_id = p.store_id
  left join pass_card c on c.customer_id = p.customer_id and c.store_id = p.store_id
  left join pass_voucher v on v.voucher_id = p.voucher_id
  cross join lateral (
    select count(*) filter (where o.minted_sequence > c.sequence)::int as minted_since, count(*) filter (where o.state = 'active')::int as active
    from pass_voucher o
    where o.customer_id = p.customer_id and o.store_id = p.store_id
  ) card`;

export const selectPass = (database: Queries, serial: string): Promise<PassState | null> =>
  database.maybeOne(sql.prepared('select-pass', Row)`${passes} where p.serial = ${serial}`);

export const storeExists = (database: Queries, storeId: string): Promise<boolean> =>
  database.oneFirst(sql.prepared('store-exists', z.object({ found: z.boolean() }))`
    select exists (select from pass_design where store_id = ${storeId} and name is not null) as found`);

const maxCreated = 20;

/** Null stands for the stamp card when it has no pass. */
export async function selectVouchersWithoutPass(
  database: Queries,
  customerId: string,
  storeId: string,
): Promise<readonly (string | null)[]> {
  const rows = await database.any(sql.prepared('select-vouchers-without-pass', z.object({ voucher_id: z.string().nullable() }))`
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
    limit ${maxCreated}`);
  return rows.map(({ voucher_id }) => voucher_id);
}

interface NewPass {
  readonly serial: string;
  readonly voucherId: string | null;
  readonly authToken: string;
}

export interface NewPasses {
  readonly customerId: string;
  readonly storeId: string;
  readonly passes: readonly NewPass[];
  readonly google: boolean;
  readonly now: Date;
}

export async function insertPasses(database: Queries, { customerId, storeId, passes, google, now }: NewPasses): Promise<void> {
  await database.query(sql.prepared('insert-passes', NoColumns)`
    with inserted as (
      insert into pass (serial, kind, customer_id, store_id, voucher_id, auth_token, modified_at)
      select n.serial, case when n."voucherId" is null then 'stamp_card' else 'voucher' end, ${customerId}, ${storeId}, n."voucherId",
        n."authToken", date_trunc('second', ${now.toISOString()}::timestamptz)
      from jsonb_to_recordset(${sql.jsonb(passes)}) n (serial uuid, "voucherId" uuid, "authToken" text)
      on conflict (customer_id, store_id, voucher_id) do nothing
      returning serial
    )
    insert into pass_update (serial, wallet, due_at)
    select serial, 'google', ${now.toISOString()} from inserted where ${google}`);
}

export const selectPasses = (database: Queries, customerId: string, storeId: string): Promise<readonly PassState[]> =>
  database.any(sql.prepared('select-passes', Row)`
    ${passes}
    where p.customer_id = ${customerId} and p.store_id = ${storeId} and (p.kind = 'stamp_card' or v.state = 'active')
    order by p.kind, p.serial`);

export interface DeviceRegistration {
  readonly deviceId: string;
  readonly serial: string;
  readonly pushToken: string;
}

/** Returns whether the registration is new. The pass may have changed since its download, so it is pushed once. */
export async function insertDevice(database: Queries, { deviceId, serial, pushToken }: DeviceRegistration, now: Date): Promise<boolean> {
  return await database.oneFirst(sql.prepared('insert-device', z.object({ is_new: z.boolean() }))`
    with registered as (
      insert into pass_device (device_id, serial, push_token) values (${deviceId}, ${serial}, ${pushToken})
      on conflict (device_id, serial) do update set push_token = excluded.push_token
      returning serial, old.serial is null as is_new
    ),
    marked as (
      update pass set changed_at = coalesce(pass.changed_at, ${now.toISOString()})
      from registered
      where pass.serial = ${serial} and registered.is_new
    )
    select is_new from registered`);
}

export async function deleteDevice(database: Queries, deviceId: string, serial: string): Promise<void> {
  await database.query(sql.prepared('delete-device', NoColumns)`
    delete from pass_device where device_id = ${deviceId} and serial = ${serial}`);
}

const ChangedPass = z.object({ serial: z.string(), update_tag: z.number() });

export async function selectChangedPasses(
  database: Queries,
  deviceId: string,
  since: number,
): Promise<{ readonly serials: readonly string[]; readonly newestTag: number }> {
  const rows = await database.any(sql.prepared('select-changed-passes', ChangedPass)`
    select p.serial, p.update_tag
    from pass_device d join pass p using (serial)
    where d.device_id = ${deviceId} and p.update_tag > ${since}
    order by p.update_tag`);
  return { serials: rows.map(({ serial }) => serial), newestTag: rows.at(-1)?.update_tag ?? since };
}

export const selectPushTokens = (database: Queries, serial: string): Promise<readonly string[]> =>
  database.anyFirst(sql.prepared('select-push-tokens', z.object({ push_token: z.string() }))`
    select distinct push_token from pass_device where serial = ${serial}`);

export async function deletePushTokens(database: Queries, pushTokens: readonly string[]): Promise<void> {
  await database.query(sql.prepared('delete-push-tokens', NoColumns)`
    delete from pass_device where push_token = any(${sql.array([...pushTokens], 'text')})`);
}
