import type { Queries, Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Minted = z.object({ id: z.string(), expiresAtMs: z.number(), presence_verified: z.boolean() });
/** A code's row. The code itself is derived from its id. */
export type MintedCode = z.output<typeof Minted>;
const expiresAtMs = sql.fragment`(extract(epoch from expires_at) * 1000)::float8 as "expiresAtMs"`;
const minted = sql.fragment`id, ${expiresAtMs}, presence_verified`;

/** Who requests a code at a store. A guest without an Idempotency-Key has two nulls. */
export interface CodeRequester {
  readonly storeId: string;
  readonly customerId: string | null;
  /** A keyed hash of the customer and the Idempotency-Key. */
  readonly keyHash: Buffer | null;
}

/** Serializes one requester's requests for codes of one store. */
export async function lockCodeRequester(tx: Transaction, { storeId, customerId, keyHash }: CodeRequester): Promise<void> {
  await tx.query(sql.prepared('lock-code-requester', z.object({}))`
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

/** The tap a code was minted with. */
export interface CodeTap {
  readonly uid: string;
  readonly counter: number;
}

/** Records on a code that a verified tap shows its customer's presence. */
export async function recordPresence(
  tx: Transaction,
  { id }: MintedCode,
  { tap, device }: { readonly tap: CodeTap; readonly device: Buffer | null },
): Promise<void> {
  await tx.query(sql.prepared('record-presence', z.object({}))`
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

export interface NewCode {
  readonly id: string;
  readonly hash: Buffer;
  readonly requester: CodeRequester;
  readonly source: string;
  readonly tap: CodeTap | null;
  /** A keyed hash of the device's description. */
  readonly device: Buffer | null;
  readonly location: string | null;
  readonly expiresAt: Date;
}

/** Inserts a code. Null when its hash is taken by another one. */
export async function insertCode(tx: Transaction, code: NewCode): Promise<MintedCode | null> {
  const { storeId, customerId, keyHash } = code.requester;
  return await tx.maybeOne(sql.prepared('mint-code', Minted)`
    insert into stamp_code (id, hash, idempotency_key_hash, store_id, customer_id, source, presence_verified, device, location_info, tag_uid,
      counter, created_at, expires_at)
    values (${code.id}, ${sql.binary(code.hash)}, ${keyHash && sql.binary(keyHash)}, ${storeId}, ${customerId}, ${code.source},
      ${code.tap !== null}, ${code.device && sql.binary(code.device)}, ${code.location}, ${code.tap?.uid ?? null}, ${code.tap?.counter ?? null},
      ${tx.now.toISOString()}, ${code.expiresAt.toISOString()})
    on conflict (hash) do nothing
    returning ${minted}`);
}

const StoreCode = z.object({
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
/** A code with the store it belongs to. */
export type StoreCode = z.output<typeof StoreCode>;

/** Finds a code by its hash. */
export async function findCode(tx: Transaction, hash: Buffer): Promise<StoreCode | null> {
  return await tx.maybeOne(sql.prepared('find-code', StoreCode)`
    select c.id, c.store_id, s.code as store_code, s.name as store_name, coalesce(p.enabled, false) as enabled, coalesce(p.goal, 0) as goal,
      c.customer_id, ${expiresAtMs}, c.used_at is not null as used
    from stamp_code c join store s on s.id = c.store_id left join programme p on p.store_id = c.store_id
    where c.hash = ${sql.binary(hash)}`);
}

const Used = z.object({ presence_verified: z.boolean(), source: z.string() });

/** Uses a code up. Returns what it is worth at that moment; null when another request used it first. */
export async function useCode(
  tx: Transaction,
  { id, store_id }: Pick<StoreCode, 'id' | 'store_id'>,
): Promise<z.output<typeof Used> | null> {
  return await tx.maybeOne(sql.prepared('use-code', Used)`
    update stamp_code set used_at = ${tx.now.toISOString()} where id = ${id} and store_id = ${store_id} and used_at is null
    returning presence_verified, source`);
}

/** Deletes up to 1,000 codes that expired before a time. Returns how many. */
export const deleteCodes = async (queries: Queries, expiredBefore: Date): Promise<number> =>
  await queries.oneFirst(sql.prepared('drop-old-codes', z.object({ dropped: z.number() }))`
    with gone as (
      delete from stamp_code
      where id = any(array(select id from stamp_code where expires_at < ${expiredBefore.toISOString()} order by expires_at limit 1000))
      returning 1)
    select count(*)::int as dropped from gone`);
