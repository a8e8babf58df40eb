import { isDeepStrictEqual } from 'node:util';
import { noAccess } from './keys.ts';
import { readParameters } from './parameters.ts';
import { badParameter, noSuch } from './refusal.ts';
import type { Account, CapabilityState, Requirements } from './stripe-shapes.ts';
import { type Call, seconds, type World } from './world.ts';

export interface AccountChange {
  readonly charges?: boolean;
  readonly payouts?: boolean;
  readonly transfers?: boolean | 'pending';
  readonly requirements?: Partial<Requirements>;
}

export const nothingDue: Requirements = {
  current_deadline: null,
  currently_due: [],
  disabled_reason: null,
  errors: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
};

export function registerAccount(world: World, id: string, change: AccountChange = {}): Account {
  const known = world.books.get('account', id) ?? newAccount(world, id, { detailsSubmitted: true, requirements: nothingDue });
  const charges_enabled = change.charges ?? known.charges_enabled;
  return putAccount(world, {
    ...known,
    capabilities: {
      card_payments: charges_enabled ? 'active' : 'inactive',
      transfers: change.transfers === undefined ? known.capabilities.transfers : stateOf(change.transfers),
    },
    charges_enabled,
    details_submitted: true,
    payouts_enabled: change.payouts ?? known.payouts_enabled,
    requirements: { ...known.requirements, ...change.requirements },
  });
}

interface Opened {
  readonly detailsSubmitted: boolean;
  readonly requirements: Requirements;
  readonly country?: string;
  readonly email?: string | null;
  readonly name?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
}

export const newAccount = (world: World, id: string, { detailsSubmitted: may, requirements, ...given }: Opened): Account => ({
  id,
  object: 'account',
  business_profile: { name: given.name ?? null },
  capabilities: { card_payments: may ? 'active' : 'inactive', transfers: may ? 'active' : 'inactive' },
  charges_enabled: may,
  country: given.country ?? 'GB',
  created: seconds(world.now()),
  default_currency: 'gbp',
  details_submitted: may,
  email: given.email ?? null,
  metadata: given.metadata ?? {},
  payouts_enabled: may,
  requirements,
  type: 'express',
});

export function putAccount(world: World, account: Account): Account {
  const known = world.books.get('account', account.id);
  if (isDeepStrictEqual(account, known)) return account;
  world.books.put(account);
  if (known) publishChange(world, known, account);
  return account;
}

const capabilities = [
  ['card_payments', 'merchant'],
  ['transfers', 'recipient'],
] as const;

function publishChange(world: World, known: Account, account: Account): void {
  const { id } = account;
  world.publish('account.updated', account, { account: id, previous: changedFields(known, account) });
  for (const [name, configuration] of capabilities) {
    const [before, status] = [known.capabilities[name], account.capabilities[name]];
    if (before === status) continue;
    const capability = { id: name, object: 'capability', account: id, requested: true, requested_at: account.created ?? null, status };
    world.publish('capability.updated', capability, { account: id, previous: { status: before } });
    world.publishThin(`v2.core.account[configuration.${configuration}].capability_status_updated`, id);
  }
  if (!isDeepStrictEqual(known.requirements, account.requirements)) world.publishThin('v2.core.account[requirements].updated', id);
}

export function restrictAccount(world: World, id: string, reason: Requirements['disabled_reason']): Account {
  if (!world.books.get('account', id)) throw noAccess(id);
  const due = ['individual.verification.document'];
  return registerAccount(world, id, {
    charges: false,
    payouts: false,
    transfers: false,
    requirements: { current_deadline: null, currently_due: due, disabled_reason: reason, past_due: due },
  });
}

export function restoreAccount(world: World, id: string): Account {
  if (!world.books.get('account', id)) throw noAccess(id);
  return registerAccount(world, id, { charges: true, payouts: true, transfers: true, requirements: nothingDue });
}

export function retrieveAccount(call: Call, world: World): Account {
  readParameters(call.form, { expand: 'any' });
  const id = call.ids[0] ?? '';
  const account = world.books.get('account', id);
  if (!account) throw noAccess(id);
  return account;
}

export function needAccount(world: World, id: string, param: string): void {
  const account = world.books.get('account', id);
  if (!account) throw noSuch('destination', id, param, 400);
  if (account.capabilities.transfers !== 'active') {
    throw badParameter(
      param,
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
      'insufficient_capabilities_for_transfer',
    );
  }
}

const stateOf = (transfers: boolean | 'pending'): CapabilityState =>
  transfers === 'pending' ? 'pending' : transfers ? 'active' : 'inactive';

const changedFields = (before: Account, after: Account): object =>
  Object.fromEntries(Object.entries(before).filter(([name, value]) => !isDeepStrictEqual(value, after[name as keyof Account])));
