import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Kind, Session } from './rules.ts';

const Row = z.object({
  id: z.string(),
  kind: z.enum(['customer', 'team']),
  person_id: z.string(),
  guest: z.boolean(),
  counter: z.number(),
  started_at: z.string(),
  refreshed_at: z.string(),
  last_request: z.string().nullable(),
  expires_at: z.string(),
}) satisfies z.ZodType<Session>;

const columns = sql.fragment`
  id, kind, person_id, issuer is null as guest, counter, last_request, ${instantOf(sql.fragment`started_at`)} as started_at,
  ${instantOf(sql.fragment`refreshed_at`)} as refreshed_at, ${instantOf(sql.fragment`expires_at`)} as expires_at`;

export const lockSession = (tx: Transaction, id: string): Promise<Session | null> =>
  tx.maybeOne(sql.prepared('lock-session', Row)`select ${columns} from session where id = ${id} for update`);

const BegunRow = Row.extend({ of_request: z.boolean(), of_id_token: z.boolean() });

/**
 * Returns the session that a request or an ID token has begun, and which of the two it was; the request’s when each has one. Null for none.
 */
export const findBegunSession = (
  queries: Queries,
  { requestId, idTokenHash }: { readonly requestId: string | null; readonly idTokenHash: Buffer | null },
): Promise<z.output<typeof BegunRow> | null> =>
  queries.maybeOne(sql.prepared('find-begun-session', BegunRow)`
    select ${columns}, coalesce(first_request = ${requestId}::uuid, false) as of_request,
      coalesce(id_token_hash = ${idTokenHash === null ? null : sql.binary(idTokenHash)}::bytea, false) as of_id_token
    from session
    where first_request = ${requestId}::uuid or id_token_hash = ${idTokenHash === null ? null : sql.binary(idTokenHash)}::bytea
    order by of_request desc limit 1`);

export interface NewSession {
  readonly id: string;
  readonly kind: Kind;
  readonly personId: string;
  readonly account: { readonly issuer: string; readonly subject: string } | null;
  readonly requestId: string | null;
  readonly idTokenHash: Buffer | null;
  readonly expiresAt: Date;
}

/** Begins a session. Returns null when another transaction has begun one by the same request or ID token meanwhile. */
export const insertSession = (tx: Transaction, session: NewSession): Promise<Session | null> =>
  tx.maybeOne(sql.prepared('insert-session', Row)`
    insert into session (id, kind, person_id, issuer, subject, started_at, refreshed_at, first_request, id_token_hash, expires_at)
    values (
      ${session.id}, ${session.kind}, ${session.personId}, ${session.account?.issuer ?? null}, ${session.account?.subject ?? null},
      ${tx.now.toISOString()}, ${tx.now.toISOString()}, ${session.requestId}::uuid,
      ${session.idTokenHash === null ? null : sql.binary(session.idTokenHash)}::bytea, ${session.expiresAt.toISOString()})
    on conflict do nothing
    returning ${columns}`);

export const advanceSession = (
  tx: Transaction,
  {
    id,
    counter,
    requestId,
    expiresAt,
  }: { readonly id: string; readonly counter: number; readonly requestId: string | null; readonly expiresAt: Date },
): Promise<Session> =>
  tx.one(sql.prepared('advance-session', Row)`
    update session
    set counter = ${counter}, refreshed_at = ${tx.now.toISOString()}, last_request = ${requestId}::uuid, expires_at = ${expiresAt.toISOString()}
    where id = ${id}
    returning ${columns}`);

export const closeSession = async (queries: Queries, id: string, now: Date): Promise<void> => {
  await queries.query(sql.prepared('close-session', NoColumns)`
    update session set expires_at = ${now.toISOString()} where id = ${id} and expires_at > ${now.toISOString()}`);
};

const Person = z.object({
  name: z.string().nullable(),
  stores: z.array(z.object({ id: z.string(), role: z.enum(['staff', 'manager', 'owner']) })),
  issuer: z.string().nullable(),
  subject: z.string().nullable(),
});

export const readPersonOf = (queries: Queries, sessionId: string): Promise<z.output<typeof Person> | null> =>
  queries.maybeOne(sql.prepared('read-person-of-session', Person)`
    select
      s.issuer, s.subject,
      coalesce(
        (select o.data ->> 'name' from object o where o.kind = case s.kind when 'team' then 'staff' else 'customer' end and o.id = s.person_id),
        (select a.name from account a where a.person_id = s.person_id and a.kind = s.kind)) as name,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', w.store_id, 'role', w.role) order by w.role = 'owner' desc, w.store_id)
        from works_at w where s.kind = 'team' and w.staff_id = s.person_id), '[]') as stores
    from session s where s.id = ${sessionId}`);

const Inserted = z.object({ person_id: z.string() });
interface AccountKey {
  readonly issuer: string;
  readonly subject: string;
  readonly kind: Kind;
}

/** Makes an account of a person. Returns false when the account exists, or the person has another one. */
export const insertAccount = async (
  tx: Transaction,
  { issuer, subject, kind, personId, name }: AccountKey & { readonly personId: string; readonly name: string | null },
): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('insert-account', Inserted)`
    insert into account (issuer, subject, kind, person_id, name, created_at)
    values (${issuer}, ${subject}, ${kind}, ${personId}, ${name}, ${tx.now.toISOString()})
    on conflict do nothing
    returning person_id`)) !== null;

/** Moves the account of a person to an issuer, if its subject is the same there. Returns false when the person has no account of that subject. */
export const moveAccount = async (
  tx: Transaction,
  { issuer, subject, kind, personId }: AccountKey & { readonly personId: string },
): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('move-account', Inserted)`
    update account set issuer = ${issuer} where person_id = ${personId} and kind = ${kind} and subject = ${subject}
    returning person_id`)) !== null;

export const findPerson = (queries: Queries, { issuer, subject, kind }: AccountKey): Promise<string | null> =>
  queries.maybeOneFirst(sql.prepared('find-person-of-account', Inserted)`
    select person_id from account where issuer = ${issuer} and subject = ${subject} and kind = ${kind}`);

export const prunedRows = 5_000;
const Pruned = z.object({ deleted: z.number() });

export const pruneSessions = (queries: Queries, before: Date): Promise<number> =>
  queries.oneFirst(sql.prepared('prune-sessions', Pruned)`
    with ended as (delete from session where id = any(array(
      select id from session where expires_at < ${before.toISOString()} order by expires_at limit ${prunedRows})) returning 1),
    over as (delete from staff_session where id = any(array(
      select id from staff_session where expires_at < ${before.toISOString()} order by expires_at limit ${prunedRows})) returning 1)
    select greatest((select count(*) from ended), (select count(*) from over)) as deleted`);
