import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { type ChangedBy, type ChangedField, partnerScopes } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Partner, PartnerSecret } from './rules.ts';

const Scopes = z.array(z.enum(partnerScopes));
const Secret = z.object({ created_at: z.string(), expires_at: z.string().nullable() }) satisfies z.ZodType<PartnerSecret>;
const Row = z.object({
  id: z.string(),
  name: z.string(),
  scopes: Scopes,
  store_ids: z.array(z.string()),
  created_at: z.string(),
  secrets: z.array(Secret),
}) satisfies z.ZodType<Partner>;

const storeIds = sql.fragment`array(
  select s.store_id from partner_store s where s.partner_id = p.id and s.withdrawn_at is null order by s.store_id) as store_ids`;
const columns = sql.fragment`
  p.id, p.name, p.scopes, ${storeIds}, ${instantOf(sql.fragment`p.created_at`)} as created_at,
  coalesce((
    select jsonb_agg(
      jsonb_build_object('created_at', ${instantOf(sql.fragment`c.created_at`)}, 'expires_at', ${instantOf(sql.fragment`c.expires_at`)})
      order by c.expires_at desc nulls first)
    from partner_secret c where c.partner_id = p.id), '[]') as secrets`;

export const listPartners = (queries: Queries, storeId: string, limit: number): Promise<readonly Partner[]> =>
  queries.any(sql.prepared('list-partners', Row)`
    select ${columns} from partner p
    where p.id = any(array(select s.partner_id from partner_store s where s.store_id = ${storeId} and s.withdrawn_at is null))
    order by lower(p.name), p.id limit ${limit}`);

export const findPartner = (queries: Queries, id: string): Promise<Partner | null> =>
  queries.maybeOne(sql.prepared('find-partner', Row)`select ${columns} from partner p where p.id = ${id}`);

const Place = z.object({ withdrawn: z.boolean() });

/** Locks a partner of a store, and returns whether it was withdrawn from it; null for one that never was the store’s. */
export const lockPartner = (tx: Transaction, { id, storeId }: PartnerPlace): Promise<z.output<typeof Place> | null> =>
  tx.maybeOne(sql.prepared('lock-partner', Place)`
    select s.withdrawn_at is not null as withdrawn
    from partner p join partner_store s on s.partner_id = p.id and s.store_id = ${storeId}
    where p.id = ${id} for update of p`);

interface PartnerPlace {
  readonly id: string;
  readonly storeId: string;
}

/** Writes a partner of stores. Returns false for one that exists: an earlier try has made it. */
export const insertPartner = async (
  tx: Transaction,
  { id, name, scopes, store_ids }: Pick<Partner, 'id' | 'name' | 'scopes' | 'store_ids'>,
): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('insert-partner', z.object({ id: z.string() }))`
    with made as (
      insert into partner (id, name, scopes, created_at)
      values (${id}, ${name}, ${sql.array([...scopes], 'text')}, ${tx.now.toISOString()})
      on conflict do nothing returning id
    ), placed as (
      insert into partner_store (partner_id, store_id)
      select made.id, store_id from made cross join unnest(${sql.array([...store_ids], 'uuid')}) as store_id
    )
    select id from made`)) !== null;

const Begun = Secret.extend({ partner_id: z.string(), hash: z.string() });

export const findSecret = (queries: Queries, id: string): Promise<z.output<typeof Begun> | null> =>
  queries.maybeOne(sql.prepared('find-partner-secret', Begun)`
    select partner_id, encode(hash, 'hex') as hash, ${instantOf(sql.fragment`created_at`)} as created_at,
      ${instantOf(sql.fragment`expires_at`)} as expires_at
    from partner_secret where id = ${id}`);

/** Gives a partner a new secret, sets until when the previous newest one is valid, and deletes older ones. The partner is locked. */
export async function replaceSecret(
  tx: Transaction,
  { id, partnerId, hash, oldUntil }: { readonly id: string; readonly partnerId: string; readonly hash: string; readonly oldUntil: Date },
): Promise<void> {
  await tx.query(sql.prepared('delete-old-partner-secrets', NoColumns)`
    delete from partner_secret where partner_id = ${partnerId} and expires_at is not null`);
  await tx.query(sql.prepared('end-partner-secret', NoColumns)`
    update partner_secret set expires_at = ${oldUntil.toISOString()} where partner_id = ${partnerId} and expires_at is null`);
  await tx.query(sql.prepared('insert-partner-secret', NoColumns)`
    insert into partner_secret (id, partner_id, hash, created_at)
    values (${id}, ${partnerId}, decode(${hash}, 'hex'), ${tx.now.toISOString()})`);
}

/** Withdraws a partner from a store; with the last one its secrets are deleted. The partner is locked. */
export async function withdrawPartner(tx: Transaction, { id, storeId }: PartnerPlace): Promise<void> {
  await tx.query(sql.prepared('withdraw-partner', NoColumns)`
    update partner_store set withdrawn_at = ${tx.now.toISOString()} where partner_id = ${id} and store_id = ${storeId}`);
  await tx.query(sql.prepared('delete-partner-secrets', NoColumns)`
    delete from partner_secret where partner_id = ${id}
      and not exists (select from partner_store where partner_id = ${id} and withdrawn_at is null)`);
}

export const logPartner = async (
  tx: Transaction,
  {
    id,
    storeIds,
    by,
    fields,
  }: { readonly id: string; readonly storeIds: readonly string[]; readonly by: ChangedBy; readonly fields: ChangedField[] },
): Promise<void> => {
  await tx.query(sql.prepared('log-partner', NoColumns)`
    with counted as (
      update partner set logged = logged + ${storeIds.length} where id = ${id} returning logged
    )
    insert into change (store_id, kind, object_id, version, at, by_id, by_name, fields)
    select store_id, 'partner', ${id}, counted.logged + 1 - place, ${tx.now.toISOString()}, ${by.id}, ${by.name}, ${sql.jsonb(fields)}
    from counted cross join unnest(${sql.array([...storeIds], 'uuid')}) with ordinality as stores (store_id, place)`);
};

const Client = Row.pick({ id: true, name: true, scopes: true, store_ids: true });

export const findClient = (
  queries: Queries,
  { id, hash, now }: { readonly id: string; readonly hash: string; readonly now: Date },
): Promise<z.output<typeof Client> | null> =>
  queries.maybeOne(sql.prepared('find-client', Client)`
    select p.id, p.name, p.scopes, ${storeIds} from partner p
    where p.id = ${id} and exists (
      select from partner_secret c where c.partner_id = p.id and c.hash = decode(${hash}, 'hex')
        and (c.expires_at is null or c.expires_at > ${now.toISOString()}))`);
