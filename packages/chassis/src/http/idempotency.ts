import { createHash } from 'node:crypto';
import { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { pause } from '../async/clock.ts';
import { NoColumns } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { canonicalJson } from './bodies.ts';

/**
 * `fingerprint`: see {@link fingerprintOf}. `unstored`: a successful response holds a secret, so only the fact that there was one is
 * stored. `holder`: the `id` of the ProcessLock of the process that runs the request.
 */
export interface KeyedRequest {
  readonly principal: string;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly unstored: boolean;
  readonly holder: string;
}

export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

/** A response that was given and not stored. Repeating the operation under the same key gives it again. */
export const unstored = Symbol('unstored');

/**
 * Parses the Idempotency-Key header, plain or quoted as in the IETF draft. Throws VALIDATION_FAILED unless it has 1 to 255 visible ASCII
 * characters.
 */
export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Problem('VALIDATION_FAILED', { message: 'Idempotency-Key must be 1 to 255 visible ASCII characters; a UUID serves.' });
}

/** Returns the SHA-256 of method, path and body, the body as {@link canonicalJson}. Throws INVALID_JSON. */
export function fingerprintOf(method: string, path: string, body: unknown, nulls: 'dropped' | 'kept' = 'dropped'): Buffer {
  return createHash('sha256')
    .update(`${method}\n${path}\n${canonicalJson(body, nulls)}`)
    .digest();
}

/**
 * After this a repeat may take over a claim whose process's lock is free. Short, because a client waits that long after a crash; long
 * enough for a process to get its lock back.
 */
const claimSeconds = 5;

/** `until` is when the claim lapses, as Postgres writes it. It identifies the claim: a later one has another. */
export interface Claim {
  readonly until: string;
}

/**
 * Claims the key, or returns the response given before. The claim of a dead process is waited for and taken over. Throws
 * IDEMPOTENCY_IN_PROGRESS, and IDEMPOTENCY_KEY_REUSED for another request.
 */
export async function claim(database: Database, request: KeyedRequest): Promise<Claim | StoredResponse | typeof unstored> {
  for (;;) {
    const found = await claimNow(database, request);
    if (found === unstored || !('lapsesInMs' in found)) return found;
    // A timer may end a few milliseconds early, and another repeat may have taken over the claim and died: both are waited for again.
    await pause(Math.max(0, found.lapsesInMs) + 1);
  }
}

async function claimNow(
  database: Database,
  request: KeyedRequest,
): Promise<Claim | StoredResponse | typeof unstored | { readonly lapsesInMs: number }> {
  const row = await database.one(sql.prepared('claim-idempotency-key', ClaimRow)`
    with claimed as (
      insert into idempotency_key (principal, operation, key, fingerprint, state, holder, locked_until)
      values (${request.principal}, ${request.operation}, ${request.key}, ${sql.binary(request.fingerprint)}, 'running',
        ${request.holder}::bigint, clock_timestamp() + make_interval(secs => ${claimSeconds}))
      on conflict (principal, operation, key) do update
      set locked_until = excluded.locked_until, holder = excluded.holder
      where idempotency_key.state = 'running' and idempotency_key.locked_until < clock_timestamp()
        and idempotency_key.fingerprint = excluded.fingerprint
        -- A shared lock is had only when the process that holds the exclusive one is gone. A claim of before this column has none.
        and (idempotency_key.holder is null or pg_try_advisory_xact_lock_shared(idempotency_key.holder))
      returning locked_until
    )
    select (select locked_until::text from claimed) as until, k.state, k.status, k.body,
      k.fingerprint = ${sql.binary(request.fingerprint)} as same,
      case when k.state = 'running' and (k.holder is null or pg_try_advisory_xact_lock_shared(k.holder))
        then extract(epoch from k.locked_until - clock_timestamp())::float * 1000 end as "lapsesInMs"
    -- The log is not forced: the effect's commit forces it, with the claim in it. A claim lost in a crash of the server had no effect in the database
    -- yet, and every effect elsewhere is safe to repeat without it.
    from (select set_config('synchronous_commit', 'off', true)) unforced
    left join idempotency_key k
      on k.principal = ${request.principal} and k.operation = ${request.operation} and k.key = ${request.key}`);
  if (row.until !== null) return { until: row.until };
  if (row.same === false) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  if (row.state === 'done' && row.status !== null) return row.body === null ? unstored : { status: row.status, body: row.body };
  if (row.lapsesInMs !== null) return { lapsesInMs: row.lapsesInMs };
  throw inProgress();
}

const inProgress = () => new Problem('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });

const ClaimRow = z.object({
  until: z.string().nullable(),
  state: z.enum(['running', 'done']).nullable(),
  status: z.number().nullable(),
  body: z.string().nullable(),
  same: z.boolean().nullable(),
  lapsesInMs: z.number().nullable(),
});

/** Does nothing when a repeat holds the key by now: then that one's response is stored. */
export async function storeResponse(database: Database, request: KeyedRequest, { until }: Claim, response: StoredResponse): Promise<void> {
  const body = request.unstored && response.status < 400 ? null : response.body;
  await database.query(sql.prepared('store-idempotent-response', NoColumns)`
    update idempotency_key set state = 'done', status = ${response.status}, body = ${body}
    where principal = ${request.principal} and operation = ${request.operation} and key = ${request.key}
      and state = 'running' and locked_until = ${until}::timestamptz`);
}

/**
 * Releases the key of a claim whose statement failed and may have had its effect. Returns false while that claim has not lapsed. No other
 * request with this key may be running in this process.
 */
export const releaseLost = (database: Database, { principal, operation, key, holder }: KeyedRequest): Promise<boolean> =>
  database.oneFirst(sql.type(z.object({ settled: z.boolean() }))`
    with released as (
      delete from idempotency_key
      where principal = ${principal} and operation = ${operation} and key = ${key} and state = 'running' and holder = ${holder}::bigint
        and locked_until < clock_timestamp()
      returning 1
    )
    select exists (select from released) or not exists (
      select from idempotency_key
      where principal = ${principal} and operation = ${operation} and key = ${key} and state = 'running' and holder = ${holder}::bigint
    ) as settled`);

export async function release(database: Database, request: KeyedRequest, { until }: Claim): Promise<void> {
  await database.query(sql.type(NoColumns)`
    delete from idempotency_key
    where principal = ${request.principal} and operation = ${request.operation} and key = ${request.key}
      and state = 'running' and locked_until = ${until}::timestamptz`);
}
