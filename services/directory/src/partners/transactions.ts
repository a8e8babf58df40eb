import { derivedUuid, type Transaction } from '@corner/chassis';
import { type ChangedBy, type PartnerScope, Problem, type Role } from '@corner/contracts';
import { lockObject } from '../object/tables.ts';
import { roleNow } from '../staff/index.ts';
import { isShownAgain, mostPartners, type Partner, type PartnerChange, partnerFields } from './rules.ts';
import {
  findPartner,
  findSecret,
  insertPartner,
  listPartners,
  lockPartner,
  logPartner,
  replaceSecret,
  withdrawPartner as withdraw,
} from './tables.ts';

export interface MadeSecret {
  readonly text: string;
  readonly hash: string;
}

/** `roles`: those of the token, by store. `makeSecret` makes the secret of an id: the same one each time. */
interface SecretRequest {
  readonly storeId: string;
  readonly requestId: string | null;
  readonly by: ChangedBy;
  readonly roles: ReadonlyMap<string, Role>;
  makeSecret(id: string): MadeSecret;
}

export interface WithSecret {
  readonly partner: Partner;
  readonly secret: string | null;
}

/** Creates a partner of stores whose owner the caller is now. Throws STORE_NOT_FOUND, INSUFFICIENT_ROLE and VALIDATION_FAILED. */
export async function createPartner(
  tx: Transaction,
  wanted: SecretRequest & { readonly name: string; readonly scopes: readonly PartnerScope[]; readonly furtherStoreIds: readonly string[] },
): Promise<WithSecret> {
  const { storeId, requestId, name, scopes } = wanted;
  const secretId = requestId ?? tx.newId();
  const id = derivedUuid(`partner:${secretId}`);
  // The stores are locked in the order of their ids, so that two partners at once do not pass the limit.
  const storeIds = [...new Set([storeId, ...wanted.furtherStoreIds])].sort();
  for (const each of storeIds)
    if (!(await lockObject(tx, { kind: 'store', id: each, storeId: each }))) throw new Problem('STORE_NOT_FOUND');
  const begun = await madeBefore(tx, secretId, wanted);
  if (begun) return begun;
  await checkOwner(tx, storeIds, wanted);
  for (const each of storeIds)
    if ((await listPartners(tx, each, mostPartners)).length >= mostPartners)
      throw new Problem('VALIDATION_FAILED', { message: `name: a store has at most ${mostPartners} partners; withdraw one first` });
  await insertPartner(tx, { id, name, scopes, store_ids: storeIds });
  return await giveSecret(tx, { ...wanted, id, secretId, oldUntil: tx.now, change: 'created' });
}

/** Gives a partner a new secret. Throws PARTNER_NOT_FOUND, and INSUFFICIENT_ROLE unless the caller owns each of its stores now. */
export async function rotateSecret(
  tx: Transaction,
  wanted: SecretRequest & { readonly id: string; readonly oldValidHours: number },
): Promise<WithSecret> {
  const { id, storeId, requestId, oldValidHours } = wanted;
  const secretId = requestId ?? tx.newId();
  if ((await lockPartner(tx, { id, storeId }))?.withdrawn !== false) throw new Problem('PARTNER_NOT_FOUND');
  const begun = await madeBefore(tx, secretId, wanted);
  if (begun) return begun;
  await checkOwner(tx, (await readPartner(tx, id)).store_ids, wanted);
  const oldUntil = new Date(tx.now.getTime() + oldValidHours * 3_600_000);
  return await giveSecret(tx, { ...wanted, secretId, oldUntil, change: 'secret' });
}

/** Withdraws a partner from a store; one that is withdrawn stays so. Throws PARTNER_NOT_FOUND. */
export async function withdrawPartner(
  tx: Transaction,
  { id, storeId, by }: { readonly id: string; readonly storeId: string; readonly by: ChangedBy },
): Promise<Partner> {
  const place = await lockPartner(tx, { id, storeId });
  if (!place) throw new Problem('PARTNER_NOT_FOUND');
  const partner = await readPartner(tx, id);
  if (place.withdrawn) return partner;
  await withdraw(tx, { id, storeId });
  await logPartner(tx, { id, storeIds: [storeId], by, fields: partnerFields('withdrawn', partner) });
  return await readPartner(tx, id);
}

/** Returns the result of an earlier try of the request; null for none. The secret is shown again for a few minutes, while its key signs. */
async function madeBefore(tx: Transaction, secretId: string, { makeSecret }: SecretRequest): Promise<WithSecret | null> {
  const found = await findSecret(tx, secretId);
  if (!found) return null;
  const { text, hash } = makeSecret(secretId);
  return { partner: await readPartner(tx, found.partner_id), secret: hash === found.hash && isShownAgain(found, tx.now) ? text : null };
}

interface Giving extends SecretRequest {
  readonly id: string;
  readonly secretId: string;
  readonly oldUntil: Date;
  readonly change: PartnerChange;
}

async function giveSecret(tx: Transaction, { id, secretId, oldUntil, change, by, makeSecret }: Giving): Promise<WithSecret> {
  const { text, hash } = makeSecret(secretId);
  await replaceSecret(tx, { id: secretId, partnerId: id, hash, oldUntil });
  const partner = await readPartner(tx, id);
  await logPartner(tx, { id, storeIds: partner.store_ids, by, fields: partnerFields(change, partner) });
  return { partner, secret: text };
}

/**
 * Throws INSUFFICIENT_ROLE unless the caller owns each of the stores, by the token and in the directory: a dismissed owner's token is not
 * enough.
 */
async function checkOwner(tx: Transaction, storeIds: readonly string[], { by, roles }: SecretRequest): Promise<void> {
  for (const storeId of storeIds)
    if (roles.get(storeId) !== 'owner' || (await roleNow(tx, storeId, by.id, 'owner')) !== 'owner')
      throw new Problem('INSUFFICIENT_ROLE', { message: `This needs the role owner at each store of the partner, also at ${storeId}.` });
}

async function readPartner(tx: Transaction, id: string): Promise<Partner> {
  const partner = await findPartner(tx, id);
  if (!partner) throw new Problem('PARTNER_NOT_FOUND');
  return partner;
}
