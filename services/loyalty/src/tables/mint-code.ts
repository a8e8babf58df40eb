import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { keyedHash } from '../keyed-hash.ts';
import type { Tap } from '../nfc/verify-proof.ts';
import { askedAgainSeconds, stampCodeOf } from '../rules/stamp-code.ts';

const none = z.object({});
const Minted = z.object({ id: z.string(), expiresAtMs: z.number(), proved: z.boolean() });
/** A code's row; the code itself is {@link codeOf} it. */
export type MintedCode = z.output<typeof Minted>;
const columns = sql.fragment`id, (extract(epoch from expires_at) * 1000)::float8 as "expiresAtMs", proved`;

/** What a code is drawn from: nobody who reads the table alone can tell it. */
export const codeOf = (secret: string, { id }: Pick<MintedCode, 'id'>): string => stampCodeOf(keyedHash(secret, 'code', id));

/** What a code is found by. */
export const hashOfCode = (secret: string, code: string): Buffer => keyedHash(secret, 'hash', code);

/** Who asks for a code; nulls are nobody known, without an Idempotency-Key. */
export interface Asker {
  readonly customerId: string | null;
  /** A keyed hash of the Idempotency-Key, apart for each customer. */
  readonly key: Buffer | null;
}

/** Lets one asker's requests for codes of one store take turns. */
export async function lockAsking(tx: Transaction, storeId: string, { customerId, key }: Asker): Promise<void> {
  await tx.query(sql.prepared('lock-asking', z.object({}))`
    select pg_advisory_xact_lock(hashtextextended(${`code:${storeId}:${customerId ?? key?.toString('hex')}`}, 0))::text`);
}

const Asked = Minted.extend({ underKey: z.boolean() });

/**
 * The code that was answered under the same key, whatever its age; else the one this customer asked for less than a minute ago, while
 * it lives.
 */
export async function codeAskedFor(
  tx: Transaction,
  storeId: string,
  { customerId, key }: Asker,
  at: Date,
): Promise<z.output<typeof Asked> | null> {
  const since = new Date(at.getTime() - askedAgainSeconds * 1_000).toISOString();
  const askedBy = key && sql.binary(key);
  return await tx.maybeOne(sql.prepared('code-asked-for', Asked)`
    select ${columns}, coalesce(asked_by = ${askedBy}::bytea, false) as "underKey" from stamp_code
    where store_id = ${storeId} and (asked_by = ${askedBy}::bytea
      or customer_id = ${customerId}::uuid and created_at > ${since} and expires_at > ${at.toISOString()})
    order by "underKey" desc, created_at desc, id desc limit 1`);
}

/** Notes on a code that its customer proved to be there. */
export async function proveCode(tx: Transaction, { id }: MintedCode, { uid, counter }: Tap, device: Buffer | null): Promise<void> {
  await tx.query(sql.prepared('prove-code', none)`
    update stamp_code set proved = true, source = 'nfc', tag_uid = ${uid}, counter = ${counter}, device = ${device && sql.binary(device)}
    where id = ${id}`);
}

/** The code a tap made, while it lives, for the device that tapped and nobody but whom it was minted for. */
export async function codeOfTap(
  tx: Transaction,
  { uid, counter }: Tap,
  device: Buffer | null,
  customerId: string | null,
  at: Date,
): Promise<MintedCode | null> {
  return await tx.maybeOne(sql.prepared('code-of-tap', Minted)`
    select ${columns} from stamp_code
    where tag_uid = ${uid} and counter = ${counter} and expires_at > ${at.toISOString()}
      and device is not distinct from ${device && sql.binary(device)} and (customer_id is null or customer_id = ${customerId})`);
}

export interface CodeToMint {
  readonly storeId: string;
  readonly asker: Asker;
  readonly source: string;
  readonly tap: Tap | null;
  readonly device: Buffer | null;
  readonly location: string | null;
  readonly ttlSeconds: number;
}

/** Mints a code. One that is taken already, once in a long while, is drawn again. */
export async function mintCode(tx: Transaction, code: CodeToMint, secret: string, at: Date, newId: () => string): Promise<MintedCode> {
  const expiresAt = new Date(at.getTime() + code.ttlSeconds * 1_000);
  for (let draw = 1; draw <= 5; draw += 1) {
    const id = newId();
    const minted = await tx.maybeOne(sql.prepared('mint-code', Minted)`
      insert into stamp_code (id, hash, asked_by, store_id, customer_id, source, proved, device, location_info, tag_uid, counter, created_at, expires_at)
      values (${id}, ${sql.binary(hashOfCode(secret, codeOf(secret, { id })))}, ${code.asker.key && sql.binary(code.asker.key)}, ${code.storeId},
        ${code.asker.customerId}, ${code.source}, ${code.tap !== null},
        ${code.device && sql.binary(code.device)}, ${code.location}, ${code.tap?.uid ?? null}, ${code.tap?.counter ?? null},
        ${at.toISOString()}, ${expiresAt.toISOString()})
      on conflict (hash) do nothing
      returning ${columns}`);
    if (minted) return minted;
  }
  throw new Error('five stamp codes in a row were taken: they are not drawn at random');
}
