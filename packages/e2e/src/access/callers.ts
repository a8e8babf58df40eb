import { randomUUID } from 'node:crypto';
import { partnerScopes } from '@corner/contracts';
import { consoleClientId, people, stores } from '@corner/sandbox/demo';
import { createIssuer } from '@corner/sandbox/issuer';
import type { RefusalRun } from '../testing/refusals/refusal-run.ts';
import type { AccessCaller, Place } from './cells.ts';

export type Places = Readonly<Record<Exclude<Place, 'own'>, { readonly id: string; readonly code: string }>>;

export type Callers = Awaited<ReturnType<typeof everyCaller>>;

const own = [stores.coffee.id, stores.cuts.id];
const ttlSeconds = 3_600;

export async function everyCaller(run: RefusalRun, places: Places) {
  const { tokens, issuer } = run.environment.system;
  const bo = { typ: 'merchant', sub: people.bo.id, stores: own, ttlSeconds } as const;
  const proven = { typ: 'merchant', stores: { own: 'owner' } } as const;
  const elsewhere = { stores: [places['of another merchant'].id, places.dark.id], ttlSeconds };
  const ofBo = await tokens.token(bo);
  const [header, claims] = ofBo.split('.');
  const fake = await createIssuer({ issuer });
  const { refresh_token: refreshToken = '' } = await run.done('createGuest', { token: null });
  const former = await formerManager(run);
  const ofStranger = await tokens.token({ typ: 'merchant', sub: randomUUID(), ...elsewhere });
  const partners = {
    whole: await newPartner(run, { further_store_ids: [stores.cuts.id] }),
    stranger: await newPartner(run, { store_id: elsewhere.stores[0], further_store_ids: [elsewhere.stores[1]] }, ofStranger),
  };
  const idToken = await tokens.idToken({ issuer, audience: consoleClientId, sub: people.bo.id, name: 'Bo', signedInAt: new Date() });
  const callers: readonly AccessCaller[] = [
    { name: 'no token', token: null },
    { name: 'a cookie of the console', token: null, headers: { cookie: `__Host-corner=${ofBo}` } },
    { name: 'the customer', token: run.tokens.ana, proven: { typ: 'customer', ownsRecords: true } },
    { name: 'another customer', token: (await run.newCustomer()).token, proven: { typ: 'customer' } },
    {
      name: 'a customer without scopes',
      token: await tokens.token({ typ: 'customer', sub: randomUUID(), scope: '', ttlSeconds }),
      proven: { typ: 'customer', lacksScopes: true },
    },
    { name: 'a guest', token: (await run.done('createGuest', { token: null })).access_token ?? '', proven: { typ: 'customer' } },
    {
      name: 'staff of the store',
      token: await tokens.token({ ...bo, typ: 'staff', sub: people.cy.id, role: 'staff' }),
      proven: { typ: 'staff', stores: { own: 'staff' } },
    },
    {
      name: 'a manager of the store',
      token: await tokens.token({ ...bo, typ: 'staff', sub: randomUUID(), role: 'manager' }),
      proven: { typ: 'staff', stores: { own: 'manager' } },
    },
    { name: 'the owner of the store', token: ofBo, proven },
    { name: 'an owner without scopes', token: await tokens.token({ ...bo, scope: '' }), proven: { ...proven, lacksScopes: true } },
    {
      name: 'staff of another store',
      token: await tokens.token({ typ: 'staff', sub: randomUUID(), ...elsewhere }),
      proven: { typ: 'staff', stores: { 'of another merchant': 'staff', dark: 'staff' } },
    },
    {
      name: 'the owner of another store',
      token: await tokens.token({ typ: 'merchant', sub: randomUUID(), ...elsewhere }),
      proven: { typ: 'merchant', stores: { 'of another merchant': 'owner', dark: 'owner' } },
    },
    {
      name: 'the owner of a store that is not there',
      token: await tokens.token({ typ: 'merchant', sub: randomUUID(), stores: [places.unknown.id], ttlSeconds }),
      proven: { typ: 'merchant', stores: { unknown: 'owner' } },
    },
    {
      name: 'a partner with every scope',
      token: await partners.whole.newToken(),
      proven: { typ: 'partner', stores: { own: 'staff' } },
    },
    {
      name: 'a partner without scopes',
      token: await tokens.token({ typ: 'partner', sub: randomUUID(), stores: own, scope: '', ttlSeconds }),
      proven: { typ: 'partner', stores: { own: 'staff' }, lacksScopes: true },
    },
    {
      name: 'a partner of another store',
      token: await partners.stranger.newToken(),
      proven: { typ: 'partner', stores: { 'of another merchant': 'staff', dark: 'staff' } },
    },
    { name: 'a manager who was dismissed', token: former.renewed, proven: { typ: 'merchant' } },
    ...[
      ['an operator', await tokens.token({ typ: 'operator', sub: people.olu.id, stores: own, role: 'owner' })],
      ['a token that has expired', await tokens.token({ ...bo, ttlSeconds: -3_600 })],
      ['a token with another signature', `${header}.${claims}.${'A'.repeat(86)}`],
      ['a token without a signature', `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.AA`],
      ['a token by another key', await fake.token(bo)],
      ['a staff session as a bearer', await tokens.staffSessionToken({ sub: people.cy.id, stores: own })],
      ['an ID token', idToken],
      ['a refresh token', refreshToken],
    ].map(([name = '', token = '']) => ({ name, token, proven: null })),
  ];
  return { callers, former };
}

export async function newPartner(run: RefusalRun, request: object, token?: string) {
  const made = await run.done('createPartner', { with: { scopes: partnerScopes, ...request }, ...(token ? { token } : {}) });
  const { partner, client_secret } = made as unknown as { readonly partner: { readonly id: string }; readonly client_secret: string };
  const credentials = { with: { client_id: partner.id, client_secret } };
  return {
    id: partner.id,
    newToken: async () => (await run.done('partnerToken', credentials)).access_token ?? '',
    refusedToken: async () => (await run.call('partnerToken', credentials)).body.error?.code,
  };
}

async function formerManager(run: RefusalRun) {
  const { tokens, issuer } = run.environment.system;
  const subject_token = await tokens.idToken({ issuer, audience: consoleClientId, sub: randomUUID(), name: 'Gil', signedInAt: new Date() });
  const signedIn = await run.done('exchangeToken', { token: null, with: { subject_token, typ: 'team' } });
  const { id } = signedIn.subject as unknown as { readonly id: string };
  const renew = (refresh_token?: string) => run.done('refreshToken', { token: null, with: { refresh_token } });
  for (const store_id of own) await run.done('addStaff', { with: { store_id, id, role: 'manager' } });
  const before = await renew(signedIn.refresh_token);
  for (const store_id of own) await run.done('changeStaff', { with: { store_id, staff_id: id, role: null } });
  const after = await renew(before.refresh_token);
  return { before: before.access_token ?? '', renewed: after.access_token ?? '', renew: () => renew(after.refresh_token) };
}
