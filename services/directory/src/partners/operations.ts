import { hash as digest } from 'node:crypto';
import type { Operation } from '@corner/chassis';
import { type directory as contracts, Problem } from '@corner/contracts';
import { z } from 'zod';
import { type Context, issuerOf } from '../context.ts';
import { checkStore, madeBy } from '../object/transactions/object-requests.ts';
import { accessSeconds } from '../sign-in/index.ts';
import { claimsOfPartner, mostPartners, partnerView } from './rules.ts';
import { findClient, listPartners as list } from './tables.ts';
import { createPartner as create, rotateSecret, type WithSecret, withdrawPartner as withdraw } from './transactions.ts';

const hashOf = (secret: string): string => digest('sha256', secret);

/** Secrets derive from the request and the signing key, so that a repeat returns the same one; only their hash is stored. */
const makeSecretBy =
  ({ derive }: Pick<NonNullable<Context['tokens']>, 'derive'>) =>
  (id: string) => {
    const text = `corner_${derive('partner', id)}`;
    return { text, hash: hashOf(text) };
  };

export const createPartner: Operation<typeof contracts.createPartner, Context> = async (request, context) => {
  const { name, scopes, further_store_ids: furtherStoreIds } = request.body;
  const wanted = { ...secretRequest('createPartner', request, context), name, scopes, furtherStoreIds };
  return secretReply(await context.database.transaction((tx) => create(tx, wanted)), context);
};

export const listPartners: Operation<typeof contracts.listPartners, Context> = async ({ params }, { database, now }) => {
  await checkStore(database, params.store_id);
  const partners = await list(database, params.store_id, mostPartners);
  return { partners: partners.map((partner) => partnerView(partner, now())) };
};

export const rotatePartnerSecret: Operation<typeof contracts.rotatePartnerSecret, Context> = async (request, context) => {
  const asked = { id: request.params.partner_id, oldValidHours: request.body.old_valid_hours };
  const wanted = { ...secretRequest('rotatePartnerSecret', request, context), ...asked };
  return secretReply(await context.database.transaction((tx) => rotateSecret(tx, wanted)), context);
};

export const withdrawPartner: Operation<typeof contracts.withdrawPartner, Context> = async (request, { database, now }) => {
  const { store_id: storeId, partner_id: id } = request.params;
  const { by } = madeBy('withdrawPartner', request);
  return { partner: partnerView(await database.transaction((tx) => withdraw(tx, { id, storeId, by })), now()) };
};

export const partnerToken: Operation<typeof contracts.partnerToken, Context> = async ({ body }, context) => {
  const { audience, signToken } = issuerOf(context);
  const now = context.now();
  const { data: id } = z.guid().safeParse(body.client_id);
  const client = id && (await findClient(context.database, { id, hash: hashOf(body.client_secret), now }));
  if (!client) throw new Problem('CLIENT_INVALID', { headers: { 'WWW-Authenticate': 'Basic realm="corner"' } });
  const claims = claimsOfPartner(client);
  return {
    access_token: await signToken({ ...claims, jti: context.newId() }, audience, now, accessSeconds),
    token_type: 'Bearer',
    expires_in: accessSeconds,
    scope: claims.scope,
  };
};

function secretRequest(
  name: string,
  request: Parameters<typeof madeBy>[1] & { readonly params: { readonly store_id: string } },
  context: Context,
) {
  const { by, requestId } = madeBy(name, request);
  return { storeId: request.params.store_id, by, requestId, roles: request.caller.stores, makeSecret: makeSecretBy(issuerOf(context)) };
}

const secretReply = ({ partner, secret }: WithSecret, { now }: Context) => ({
  partner: partnerView(partner, now()),
  client_secret: secret,
});
