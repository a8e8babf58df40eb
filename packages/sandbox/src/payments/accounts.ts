import { isDeepStrictEqual } from 'node:util';
import { noAccess } from './keys.ts';
import { readParameters } from './parameters.ts';
import { badParameter, noSuch } from './refusal.ts';
import type { Account, CapabilityState, Requirements } from './stripe-shapes.ts';
import { type Call, seconds, type World } from './world.ts';

/** A change of a connected account; absent fields stay as they are. */
export interface AccountChange {
  readonly charges?: boolean;
  readonly payouts?: boolean;
  readonly transfers?: boolean | 'pending';
  readonly requirements?: Partial<Requirements>;
}

const nothingDue: Requirements = {
  current_deadline: null,
  currently_due: [],
  disabled_reason: null,
  errors: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
};

/** Registers a connected account, or changes a known one; a change emits `account.updated` on that account. */
export function registerAccount(world: World, id: string, change: AccountChange = {}): Account {
  const known = world.books.get('account', id);
  const charges_enabled = change.charges ?? known?.charges_enabled ?? true;
  const account: Account = {
    id,
    object: 'account',
    capabilities: {
      card_payments: charges_enabled ? 'active' : 'inactive',
      transfers: change.transfers === undefined ? (known?.capabilities.transfers ?? 'active') : stateOf(change.transfers),
    },
    charges_enabled,
    country: 'GB',
    created: known?.created ?? seconds(world.now()),
    default_currency: 'gbp',
    details_submitted: true,
    email: null,
    payouts_enabled: change.payouts ?? known?.payouts_enabled ?? true,
    requirements: { ...(known?.requirements ?? nothingDue), ...change.requirements },
    type: 'express',
  };
  if (isDeepStrictEqual(account, known)) return account;
  world.books.put(account);
  if (known) world.publish('account.updated', account, { account: id, previous: changedFields(known, account) });
  return account;
}

/** Restricts an account as Stripe does when a deadline has passed: it takes no charges, no transfers, and is paid nothing. */
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

/** GET /v1/accounts/:id. An account that is not connected is refused like one that does not exist. */
export function retrieveAccount(call: Call, world: World): Account {
  readParameters(call.form, { expand: 'any' });
  const id = call.ids[0] ?? '';
  const account = world.books.get('account', id);
  if (!account) throw noAccess(id);
  return account;
}

/** Throws Stripe's refusal when an account is unknown or cannot receive transfers now. */
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
