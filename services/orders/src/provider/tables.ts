import { columns, instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { ProviderPurpose } from './rules.ts';

export const ProviderCall = z.object({
  purpose: z.enum(['account', 'customer', 'intent', 'ephemeral_key', 'refund', 'transfer_reversal', 'transfer']),
  reference: z.string(),
  attempt: z.number(),
  idempotency_key: z.string(),
  state: z.enum(['requested', 'done', 'refused', 'failed']),
  created_at: z.string(),
  ended_at: z.string().nullable(),
});
export type ProviderCall = z.output<typeof ProviderCall>;

const callColumns: FragmentSqlToken = columns(ProviderCall, { alias: 'c', overrides: { created_at: instantOf, ended_at: instantOf } });

interface CallSubject {
  readonly purpose: ProviderPurpose;
  readonly reference: string;
}

export const firstCall = (subject: CallSubject, key: string, at: Date): ProviderCall => ({
  ...subject,
  attempt: 1,
  idempotency_key: key,
  state: 'requested',
  created_at: at.toISOString(),
  ended_at: null,
});

export const findLatestCall = (queries: Queries, { purpose, reference }: CallSubject): Promise<ProviderCall | null> =>
  queries.maybeOne(sql.prepared('latest-provider-call', ProviderCall)`
    select ${callColumns} from provider_call c where c.purpose = ${purpose} and c.reference = ${reference} order by c.attempt desc limit 1`);

export async function beginCall(queries: Queries, call: ProviderCall): Promise<ProviderCall> {
  await queries.query(sql.prepared('begin-provider-call', NoColumns)`
    insert into provider_call (purpose, reference, attempt, idempotency_key, state, created_at)
    values (${call.purpose}, ${call.reference}, ${call.attempt}, ${call.idempotency_key}, 'requested', ${call.created_at})
    on conflict do nothing`);
  const stored = await findLatestCall(queries, call);
  if (!stored) throw new Error('an attempt was stored, but cannot be found');
  return stored;
}

export type CallEnd = { readonly state: 'refused' | 'failed' } | { readonly state: 'done'; readonly providerId: string };

/** Stores the end of an attempt, and returns it. An intent or refund may appear late, so it is searched for from a minute later. */
export const endCall = (queries: Queries, call: ProviderCall, end: CallEnd, now: Date): Promise<ProviderCall> =>
  queries.one(sql.prepared('end-provider-call', ProviderCall)`
    update provider_call c
    set state = ${end.state}, provider_id = ${end.state === 'done' ? end.providerId : null}, ended_at = ${now.toISOString()},
        look_at = case when ${end.state} = 'failed' and c.purpose in ('intent', 'refund') then ${now.toISOString()}::timestamptz + interval '1 minute' end
    where c.purpose = ${call.purpose} and c.reference = ${call.reference} and c.attempt = ${call.attempt}
    returning ${callColumns}`);

export const findCallsToLookAt = (queries: Queries, now: Date): Promise<readonly ProviderCall[]> =>
  queries.any(sql.prepared('provider-calls-to-look-at', ProviderCall)`
    select ${callColumns} from provider_call c where c.look_at <= ${now.toISOString()} order by c.look_at limit 100`);

export async function lookLater(queries: Queries, call: ProviderCall, at: Date | null): Promise<void> {
  await queries.query(sql.prepared('look-later', NoColumns)`
    update provider_call set look_at = ${at?.toISOString() ?? null}
    where purpose = ${call.purpose} and reference = ${call.reference} and attempt = ${call.attempt}`);
}

export type CursorName = 'events' | 'late_events' | 'movements';

export async function findCursor(queries: Queries, name: CursorName): Promise<Date | null> {
  const readUntil = await queries.maybeOneFirst(sql.prepared('find-provider-cursor', z.object({ read_until: z.string() }))`
    select ${instantOf(sql.fragment`read_until`)} as read_until from provider_cursor where name = ${name}`);
  return readUntil === null ? null : new Date(readUntil);
}

/** Moves a cursor forward; a replica that read less far than another moves nothing. */
export async function moveCursor(tx: Transaction, name: CursorName, readUntil: Date): Promise<void> {
  await tx.query(sql.prepared('move-provider-cursor', NoColumns)`
    insert into provider_cursor (name, read_until) values (${name}, ${readUntil.toISOString()})
    on conflict (name) do update set read_until = greatest(provider_cursor.read_until, excluded.read_until)`);
}

/** Ends the reference and key of a refund borne by the platform: it is a different request than the declined one. */
const platformSuffix = ':platform';
export const suffixOf = (borneBy: string): string => (borneBy === 'platform' ? platformSuffix : '');

export const refundReference = (refundId: string, borneBy: string): string => `${refundId}${suffixOf(borneBy)}`;
export const refundReferences = (refundId: string): string[] => [refundId, `${refundId}${platformSuffix}`];
export const refundIdOf = (reference: string): string => reference.replace(platformSuffix, '');

/** A provider customer belongs to one mode, so the mode is part of the reference. */
export const customerReference = (customerId: string, mode: ProviderMode): string =>
  mode === 'test' ? customerId : `${customerId}:${mode}`;
