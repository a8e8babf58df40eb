import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { programmeOfSql } from '../card/tables/programmes.ts';

const Minted = z.object({ id: z.string(), expiresAtMs: z.number(), presence_verified: z.boolean() });

export type MintedCode = z.output<typeof Minted>;

const expiresAtMs = sql.fragment`(extract(epoch from expires_at) * 1000)::float8 as "expiresAtMs"`;

const minted = sql.fragment`id, ${expiresAtMs}, presence_verified`;

/** The requester of a code at a store. `keyHash`: a keyed hash of customer and Idempotency-Key. A guest without a key has two nulls. */
export interface CodeRequester {
  readonly storeId: string;
  readonly customerId: string | null;
  readonly keyHash: Buffer | null;
}

export async function lockCodeRequester(tx: Transaction, { storeId, customerId, keyHash }: CodeRequester): Promise<void> {
  await tx.query(sql.prepared('lock-code-requester', NoColumns)`
    select pg_advisory_xact_lock(hashtextextended(${`code:${storeId}:${customerId ?? keyHash?.toString('hex')}`}, 0))::text`);
}

const Requested = Minted.extend({ sameKey: z.boolean() });

/**
 * Finds the code that was minted under the same key, whatever its age; otherwise the customer's newest code that was minted after
 * `since` and has not expired.
 */
export async function findRequestedCode(
  tx: Transaction,
  { storeId, customerId, keyHash }: CodeRequester,
  since: Date,
): Promise<z.output<typeof Requested> | null> {
  const hash = keyHash && sql.binary(keyHash);
  return await tx.maybeOne(sql.prepared('requested-code', Requested)`
    select ${minted}, coalesce(idempotency_key_hash = ${hash}::bytea, false) as "sameKey" from stamp_code
    where store_id = ${storeId} and (idempotency_key_hash = ${hash}::bytea
      or customer_id = ${customerId}::uuid and created_at > ${since.toISOString()} and expires_at > ${tx.now.toISOString()})
    order by "sameKey" desc, created_at desc, id desc limit 1`);
}

interface CodeTap {
  readonly uid: string;
  readonly counter: number;
}

export async function recordPresence(
  tx: Transaction,
  { id }: MintedCode,
  { tap, device }: { readonly tap: CodeTap; readonly device: Buffer | null },
): Promise<void> {
  await tx.query(sql.prepared('record-presence', NoColumns)`
    update stamp_code set presence_verified = true, source = 'nfc', tag_uid = ${tap.uid}, counter = ${tap.counter}, device = ${device && sql.binary(device)}
    where id = ${id}`);
}

/** Finds the unexpired code of a tap, for the device that tapped and the customer it was minted for (any, if that was a guest). */
export async function findCodeOfTap(
  tx: Transaction,
  { uid, counter }: CodeTap,
  { device, customerId }: { readonly device: Buffer | null; readonly customerId: string | null },
): Promise<MintedCode | null> {
  return await tx.maybeOne(sql.prepared('code-of-tap', Minted)`
    select ${minted} from stamp_code
    where tag_uid = ${uid} and counter = ${counter} and expires_at > ${tx.now.toISOString()}
      and device is not distinct from ${device && sql.binary(device)} and (customer_id is null or customer_id = ${customerId})`);
}

interface NewCode {
  readonly id: string;
  readonly hash: Buffer;
  readonly requester: CodeRequester;
  readonly source: string;
  readonly tap: CodeTap | null;
  /** A keyed hash of the device's description. */
  readonly device: Buffer | null;
  readonly expiresAt: Date;
}

/** Inserts a code, and records the device that a customer mints it with. Null when its hash is taken by another one. */
export async function insertCode(tx: Transaction, code: NewCode): Promise<MintedCode | null> {
  const { storeId, customerId, keyHash } = code.requester;
  return await tx.maybeOne(sql.prepared('mint-code', Minted)`
    with used as (
      insert into device_use (store_id, device, customer_id, at)
      select ${storeId}::uuid, d, c, ${tx.now.toISOString()}::timestamptz
      from (values (${code.device && sql.binary(code.device)}::bytea, ${customerId}::uuid)) v (d, c) where d is not null and c is not null
      on conflict (store_id, device, customer_id) do update set at = excluded.at
    )
    insert into stamp_code (id, hash, idempotency_key_hash, store_id, customer_id, source, presence_verified, device, tag_uid, counter,
      created_at, expires_at)
    values (${code.id}, ${sql.binary(code.hash)}, ${keyHash && sql.binary(keyHash)}, ${storeId}, ${customerId}, ${code.source},
      ${code.tap !== null}, ${code.device && sql.binary(code.device)}, ${code.tap?.uid ?? null}, ${code.tap?.counter ?? null},
      ${tx.now.toISOString()}, ${code.expiresAt.toISOString()})
    on conflict (hash) do nothing
    returning ${minted}`);
}

export const StoreCode = z.object({
  id: z.string(),
  store_id: z.string(),
  store_code: z.string(),
  store_name: z.string(),
  enabled: z.boolean(),
  goal: z.number(),
  customer_id: z.string().nullable(),
  expiresAtMs: z.number(),
  used: z.boolean(),
});

export type StoreCode = z.output<typeof StoreCode>;

export async function findCode(tx: Transaction, hash: Buffer): Promise<StoreCode | null> {
  return await tx.maybeOne(sql.prepared('find-code', StoreCode)`
    select c.id, c.store_id, s.code as store_code, s.name as store_name, coalesce(p.enabled, false) as enabled, coalesce(p.goal, 0) as goal,
      c.customer_id, ${expiresAtMs}, c.used_at is not null as used
    from stamp_code c join store s on s.id = c.store_id
    cross join lateral (select ${programmeOfSql(sql.fragment`c.store_id`)} as id offset 0) h
    left join programme p on p.store_id = h.id
    where c.hash = ${sql.binary(hash)}`);
}

/** `device`: a keyed hash in hexadecimal. `tapped_at`: when the tag was tapped that the code was minted with; null without a tap. */
const Used = z.object({
  presence_verified: z.boolean(),
  source: z.string(),
  device: z.string().nullable(),
  tapped_at: z.string().nullable(),
});

/** Uses a code up. Returns its current presence, source and device; null when another request used it first. */
export async function useCode(
  tx: Transaction,
  { id, store_id }: Pick<StoreCode, 'id' | 'store_id'>,
): Promise<z.output<typeof Used> | null> {
  return await tx.maybeOne(sql.prepared('use-code', Used)`
    update stamp_code set used_at = ${tx.now.toISOString()} where id = ${id} and store_id = ${store_id} and used_at is null
    returning presence_verified, source, encode(device, 'hex') as device,
      (select ${instantOf(sql.fragment`t.used_at`)} from nfc_tap t where t.tag_uid = stamp_code.tag_uid and t.counter = stamp_code.counter) as tapped_at`);
}

interface DeviceUse {
  readonly storeId: string;
  readonly customerId: string;
  readonly devices: readonly Buffer[];
}

const Customers = z.object({ customers: z.number() });

/**
 * Records that devices were used for a customer's code. Returns for how many customers, this one included, one of them was used since a
 * time. The store's quota is locked, so concurrent customers are counted one after the other.
 */
export async function recordDeviceUse(tx: Transaction, { storeId, customerId, devices }: DeviceUse, since: Date): Promise<number> {
  const [first = null, second = null] = devices;
  const now = tx.now.toISOString();
  return await tx.oneFirst(sql.prepared('record-device-use', Customers)`
    with device as materialized (
      select distinct d as hash from (values (${first && sql.binary(first)}::bytea), (${second && sql.binary(second)}::bytea)) v (d)
      where d is not null
    ), recorded as (
      insert into device_use (store_id, device, customer_id, at) select ${storeId}::uuid, hash, ${customerId}::uuid, ${now}::timestamptz from device
      on conflict (store_id, device, customer_id) do update set at = excluded.at
    )
    select coalesce(max(others), 0)::int + 1 as customers from (
      select (
        select count(*) from device_use u
        where u.store_id = ${storeId} and u.device = device.hash and u.customer_id <> ${customerId} and u.at > ${since.toISOString()}
      ) as others from device
    ) counted`);
}

export const deleteDeviceUses = async (queries: Queries, before: Date): Promise<number> =>
  await queries.oneFirst(sql.prepared('drop-old-device-uses', z.object({ dropped: z.number() }))`
    with gone as (
      delete from device_use where ctid = any(array(select ctid from device_use where at < ${before.toISOString()} order by at limit 1000))
      returning 1)
    select count(*)::int as dropped from gone`);

export const deleteCodes = async (queries: Queries, expiredBefore: Date): Promise<number> =>
  await queries.oneFirst(sql.prepared('drop-old-codes', z.object({ dropped: z.number() }))`
    with gone as (
      delete from stamp_code
      where id = any(array(select id from stamp_code where expires_at < ${expiredBefore.toISOString()} order by expires_at limit 1000))
      returning 1)
    select count(*)::int as dropped from gone`);

interface TapKey {
  readonly uid: string;
  readonly counter: number;
}

const Tag = z.object({ store_id: z.string() });

/** Finds a tag by its UID and the key version it was written with. Null for a revoked tag, and for one that now has another version. */
export const findTag = async (
  queries: Pick<Queries, 'maybeOne'>,
  { uid, keyVersion }: { readonly uid: string; readonly keyVersion: string },
): Promise<z.output<typeof Tag> | null> =>
  await queries.maybeOne(sql.prepared('find-tag', Tag)`
    select store_id from tag where uid = ${uid} and key_version = ${keyVersion} and not revoked`);

const UsedTap = z.object({ used: z.boolean() });

/** Uses up an online tap. Returns false when it was used, or when its counter is not above the tag's last one. */
export async function useTap(tx: Transaction, { uid, counter }: TapKey): Promise<boolean> {
  const tap = await tx.maybeOne(sql.prepared('use-tap', UsedTap)`
    with counted as (update tag set last_counter = ${counter} where uid = ${uid} and last_counter < ${counter} returning uid)
    insert into nfc_tap (tag_uid, counter, used_at) select uid, ${counter}, ${tx.now.toISOString()} from counted
    on conflict do nothing returning true as used`);
  return tap !== null;
}

/** Uses up an offline tap. Offline taps arrive in any order, so the counter need not rise. Returns false when the tap was used. */
export async function useOfflineTap(tx: Transaction, { uid, counter }: TapKey): Promise<boolean> {
  const tap = await tx.maybeOne(sql.prepared('use-offline-tap', UsedTap)`
    insert into nfc_tap (tag_uid, counter, used_at) values (${uid}, ${counter}, ${tx.now.toISOString()})
    on conflict do nothing returning true as used`);
  return tap !== null;
}

/** Inserts a guest's stamp, which waits for approval and is on no card. Returns false when `most` wait at the store; its quota is locked. */
export async function insertGuestStamp(tx: Transaction, storeId: string, stamp: GuestStamp, most: number): Promise<boolean> {
  const inserted = await tx.maybeOne(sql.prepared('collect-guest-stamp', z.object({ id: z.string() }))`
    insert into stamp (id, store_id, status, source, approval_reason, code_id, created_at)
    select ${stamp.id}::uuid, ${storeId}::uuid, 'pending', ${stamp.source}, ${stamp.reason}, ${stamp.codeId}::uuid, ${stamp.collectedAt.toISOString()}::timestamptz
    where (
      select count(*) from (
        select from stamp where store_id = ${storeId} and status = 'pending' and customer_id is null
        order by created_at desc, id desc limit ${most}) waiting
    ) < ${most}
    returning id`);
  return inserted !== null;
}

interface GuestStamp {
  readonly id: string;
  readonly source: string;
  readonly reason: string;
  readonly collectedAt: Date;
  readonly codeId: string;
}
