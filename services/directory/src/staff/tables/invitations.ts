import { insertEventsSql, instantOf, NoColumns, type OutboxEntry, type Queries, type Transaction } from '@corner/chassis';
import { languages, roles } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Invitation } from '../rules/invitations.ts';

const Row = z.object({
  id: z.string(),
  store_id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(roles),
  language: z.enum(languages).nullable(),
  by_id: z.string(),
  by_name: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string(),
  accepted_by: z.string().nullable(),
  withdrawn: z.boolean(),
}) satisfies z.ZodType<Invitation>;

const columns = sql.fragment`
  id, store_id, email, name, role, language, by_id, by_name, ${instantOf(sql.fragment`created_at`)} as created_at,
  ${instantOf(sql.fragment`expires_at`)} as expires_at, accepted_by, withdrawn`;

export const findInvitationOf = (queries: Queries, requestId: string): Promise<Invitation | null> =>
  queries.maybeOne(sql.prepared('find-invitation-of-request', Row)`select ${columns} from invitation where request_id = ${requestId}`);

export const findInvitation = (queries: Queries, storeId: string, id: string): Promise<Invitation | null> =>
  queries.maybeOne(sql.prepared('find-invitation', Row)`select ${columns} from invitation where id = ${id} and store_id = ${storeId}`);

export const findInvitationOfLink = (queries: Queries, id: string): Promise<Invitation | null> =>
  queries.maybeOne(sql.prepared('find-invitation-of-link', Row)`select ${columns} from invitation where id = ${id}`);

/** Locks an invitation and returns it; null for an unknown id. It is locked before its store. */
export const lockInvitation = (tx: Transaction, id: string): Promise<Invitation | null> =>
  tx.maybeOne(sql.prepared('lock-invitation', Row)`select ${columns} from invitation where id = ${id} for update`);

export const listOpenInvitations = (queries: Queries, storeId: string, now: Date): Promise<readonly Invitation[]> =>
  queries.any(sql.prepared('list-open-invitations', Row)`
    select ${columns} from invitation
    where store_id = ${storeId} and accepted_by is null and not withdrawn and expires_at > ${now.toISOString()}
    order by invitation.created_at desc, id desc limit 100`);

export const withdrawInvitationTo = async (tx: Transaction, { store_id, email }: Pick<Invitation, 'store_id' | 'email'>): Promise<void> => {
  await tx.query(sql.prepared('withdraw-invitation-to', NoColumns)`
    update invitation set withdrawn = true
    where store_id = ${store_id} and lower(email) = lower(${email}) and accepted_by is null and not withdrawn`);
};

/**
 * Writes an invitation and publishes it, in one statement. Returns null when another transaction has written one to the address, or for the
 * request, meanwhile.
 */
export const insertInvitation = (
  tx: Transaction,
  invitation: Omit<Invitation, 'accepted_by' | 'withdrawn'> & { readonly request_id: string | null },
  event: OutboxEntry,
): Promise<Invitation | null> =>
  tx.maybeOne(sql.prepared('insert-invitation', Row)`
    with written as (
      insert into invitation (id, store_id, email, name, role, language, by_id, by_name, created_at, expires_at, request_id)
      values (
        ${invitation.id}, ${invitation.store_id}, ${invitation.email}, ${invitation.name}, ${invitation.role}, ${invitation.language},
        ${invitation.by_id}, ${invitation.by_name}, ${invitation.created_at}, ${invitation.expires_at}, ${invitation.request_id}::uuid)
      on conflict do nothing
      returning *
    ), published as (${insertEventsSql(tx, [event], sql.fragment`cross join (select 1 from written) as made`)})
    select ${columns} from written`);

/** Ends an invitation: accepted by a person, or withdrawn when that is null. */
export const endInvitation = async (tx: Transaction, id: string, acceptedBy: string | null): Promise<void> => {
  await tx.query(sql.prepared('end-invitation', NoColumns)`
    update invitation set accepted_by = ${acceptedBy}::uuid, withdrawn = ${acceptedBy}::uuid is null where id = ${id}`);
};

const Pruned = z.object({ deleted: z.number() });

export const pruneInvitations = (queries: Queries, before: Date, limit: number): Promise<number> =>
  queries.oneFirst(sql.prepared('prune-invitations', Pruned)`
    with deleted as (delete from invitation where id = any(array(
      select id from invitation where expires_at < ${before.toISOString()} order by expires_at limit ${limit})) returning 1)
    select count(*) as deleted from deleted`);
