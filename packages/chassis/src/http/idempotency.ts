import { createHash } from 'node:crypto';
import { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';

/** One mutating request as its key sees it. */
export interface KeyedRequest {
  readonly principal: string;
  readonly operation: string;
  readonly key: string;
  /** SHA-256 of method, path and canonical body. */
  readonly fingerprint: Buffer;
  /** Its answer holds a secret: that there was one is kept, not what it said. A refusal says nothing secret. */
  readonly unstored: boolean;
}

/** A finished answer, exactly as it was sent. */
export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

/** Stands for an answer that was given and is not stored: the work, done again under its key, gives it again. */
export const unstored = Symbol('unstored');

/** Reads the Idempotency-Key header, plain or in the draft's quoted form. Throws VALIDATION_FAILED for what is not 1 to 255 visible ASCII. */
export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Problem('VALIDATION_FAILED', { message: 'Idempotency-Key must be 1 to 255 visible ASCII characters; a UUID serves.' });
}

/** The same request has the same fingerprint whatever the order of its fields. */
export function fingerprintOf(method: string, path: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${method}\n${path}\n${canonical(body)}`)
    .digest();
}

/** Arrays and objects within each other, beyond which a body is somebody's game with our stack. */
const deepest = 100;

function canonical(value: unknown, depth = 0): string {
  if (depth > deepest) throw new Problem('INVALID_JSON', { message: `The body is nested more than ${deepest} deep.` });
  if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry, depth + 1)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v, depth + 1)}`).join(',')}}`;
}

/** Seconds a claim holds; after that a twin may take over. Short, since a client waits that long after a crash, and safe, since the effects have keys of their own. */
const claimSeconds = 5;

/** A key that is ours to work under, until the instant written here; that instant tells our claim from one that followed it. */
export interface Claim {
  readonly until: string;
}

/**
 * Claims the key, or answers what was answered before. Throws IDEMPOTENCY_IN_PROGRESS while a twin runs and
 * IDEMPOTENCY_KEY_REUSED when the key came with something else.
 */
export async function claim(database: Database, request: KeyedRequest): Promise<Claim | StoredResponse | typeof unstored> {
  const row = await database.one(sql.prepared('claim-idempotency-key', ClaimRow)`
    with claimed as (
      insert into idempotency_key (principal, operation, key, fingerprint, state, locked_until)
      values (${request.principal}, ${request.operation}, ${request.key}, ${sql.binary(request.fingerprint)}, 'running',
        clock_timestamp() + make_interval(secs => ${claimSeconds}))
      on conflict (principal, operation, key) do update
      set locked_until = excluded.locked_until
      where idempotency_key.state = 'running' and idempotency_key.locked_until < clock_timestamp()
        and idempotency_key.fingerprint = excluded.fingerprint
      returning locked_until
    )
    select (select locked_until::text from claimed) as until, k.state, k.status, k.body,
      k.fingerprint = ${sql.binary(request.fingerprint)} as same
    from (select 1) one
    left join idempotency_key k
      on k.principal = ${request.principal} and k.operation = ${request.operation} and k.key = ${request.key}`);
  if (row.until !== null) return { until: row.until };
  if (row.same === false) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  if (row.state === 'done' && row.status !== null) return row.body === null ? unstored : { status: row.status, body: row.body };
  throw new Problem('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
}

const ClaimRow = z.object({
  until: z.string().nullable(),
  state: z.enum(['running', 'done']).nullable(),
  status: z.number().nullable(),
  body: z.string().nullable(),
  same: z.boolean().nullable(),
});

/**
 * Keeps the answer for repeats, or no more than that there was one. Does nothing when the claim has lapsed and a twin holds the key:
 * then that one’s answer stands.
 */
export async function storeResponse(database: Database, request: KeyedRequest, { until }: Claim, answer: StoredResponse): Promise<void> {
  const body = request.unstored && answer.status < 400 ? null : answer.body;
  await database.query(sql.prepared('keep-idempotent-answer', z.object({}))`
    update idempotency_key set state = 'done', status = ${answer.status}, body = ${body}
    where principal = ${request.principal} and operation = ${request.operation} and key = ${request.key}
      and state = 'running' and locked_until = ${until}::timestamptz`);
}

/** Lets the key go after an answer that a repeat should try again, unless a twin holds it by now. */
export async function release(database: Database, request: KeyedRequest, { until }: Claim): Promise<void> {
  await database.query(sql.type(z.object({}))`
    delete from idempotency_key
    where principal = ${request.principal} and operation = ${request.operation} and key = ${request.key}
      and state = 'running' and locked_until = ${until}::timestamptz`);
}

/** Whether a repeat gets this answer again: results and refusals of the work do, faults of form, of identity and of ours do not. */
export const isKept = (status: number): boolean =>
  (status >= 200 && status < 300) || (status >= 400 && status < 500 && ![400, 401, 403, 408, 429].includes(status));
