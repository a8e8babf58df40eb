import { newAccount, nothingDue, putAccount } from './accounts.ts';
import { noAccess } from './keys.ts';
import { mergeMetadata, type Readings, readParameters, required } from './parameters.ts';
import { badParameter } from './refusal.ts';
import type { Account, AccountLink, AccountV2 } from './stripe-shapes.ts';
import { type Call, seconds, type World } from './world.ts';

const requested = { requested: 'boolean' } as const satisfies Readings;

const accountParameters = {
  configuration: {
    customer: 'any',
    merchant: { capabilities: { card_payments: requested } },
    recipient: { capabilities: { stripe_balance: { stripe_transfers: requested } } },
  },
  contact_email: 'string',
  dashboard: 'string',
  defaults: { responsibilities: { fees_collector: 'string', losses_collector: 'string' } },
  display_name: 'string',
  identity: { country: 'string', entity_type: 'string' },
  include: 'any',
  metadata: 'metadata',
} as const satisfies Readings;

export const askedFirst = {
  'business_profile.name': 'Business name',
  'individual.last_name': 'Your name',
  external_account: 'Bank account (IBAN, or sort code and account number)',
} as const;

export function createAccount(call: Call, world: World): AccountV2 {
  const given = readParameters(call.form, accountParameters);
  const { merchant, recipient } = given.configuration ?? {};
  if (merchant || recipient) {
    if (given.contact_email === undefined) throw missing('contact_email');
    if (given.identity?.country === undefined) throw missing('identity.country');
    const { fees_collector, losses_collector } = given.defaults?.responsibilities ?? {};
    if (fees_collector === undefined) throw missing('defaults.responsibilities.fees_collector');
    if (losses_collector === undefined) throw missing('defaults.responsibilities.losses_collector');
    if (given.dashboard === undefined) throw missing('dashboard');
  }
  if (recipient && recipient.capabilities?.stripe_balance?.stripe_transfers?.requested !== true) {
    throw badParameter(
      'configuration.recipient',
      'At least one capability must be requested for the recipient configuration.',
      'invalid_fields',
    );
  }
  const due = Object.keys(askedFirst);
  const account = newAccount(world, world.newId('acct_1', 15), {
    detailsSubmitted: false,
    requirements: { ...nothingDue, currently_due: due, past_due: due, eventually_due: due, disabled_reason: 'requirements.past_due' },
    country: (given.identity?.country ?? 'gb').toUpperCase(),
    email: given.contact_email ?? null,
    name: given.display_name ?? null,
    metadata: mergeMetadata({}, given.metadata),
  });
  return viewOf(putAccount(world, account));
}

export function listAccounts(call: Call, world: World): object {
  const { limit = 20, page = '0' } = readParameters(call.form, {
    applied_configurations: 'any',
    closed: 'boolean',
    limit: 'integer',
    page: 'string',
  });
  if (limit < 1 || limit > 100) throw badParameter('limit', 'The limit must be from 1 to 100.', 'invalid_fields');
  const accounts = world.books.all('account').reverse();
  const next = Number(page) + limit;
  return {
    data: accounts.slice(Number(page), next).map(viewOf),
    next_page_url: next < accounts.length ? `/v2/core/accounts?limit=${limit}&page=${next}` : null,
    previous_page_url: null,
  };
}

const viewOf = ({ id, business_profile, created = 0, email, metadata }: Account): AccountV2 => ({
  id,
  object: 'v2.core.account',
  applied_configurations: ['merchant', 'recipient'],
  ...(email === null ? {} : { contact_email: email }),
  created: instant(created),
  dashboard: 'express',
  ...(business_profile.name === null ? {} : { display_name: business_profile.name }),
  livemode: false,
  metadata: { ...metadata },
});

const lifeSeconds = 600;

/** The link works once, for ten minutes. */
export function createAccountLink(call: Call, world: World): object {
  const pages = { collection_options: 'any', refresh_url: 'string', return_url: 'string' } as const;
  const given = readParameters(call.form, {
    account: 'string',
    use_case: { account_onboarding: pages, account_update: pages, type: 'string' },
  });
  const id = required(given, 'account');
  if (!world.books.get('account', id)) throw noAccess(id);
  const { account_onboarding: asked, type } = required(given, 'use_case');
  if (type !== 'account_onboarding' || !asked) {
    throw badParameter(
      'use_case.type',
      'You cannot create this type of Account Link for an account with a Stripe-hosted Dashboard.',
      'invalid_fields',
    );
  }
  const refresh_url = web(asked.refresh_url, 'use_case.account_onboarding.refresh_url');
  const return_url = web(asked.return_url, 'use_case.account_onboarding.return_url');
  const created = seconds(world.now());
  const expires_at = created + lifeSeconds;
  const link = world.books.put<AccountLink>({
    id: world.newId('alu_test_', 32),
    object: 'account_link',
    account: id,
    created,
    expires_at,
    refresh_url,
    return_url,
    visit: null,
  });
  return {
    object: 'v2.core.account_link',
    account: id,
    created: instant(created),
    expires_at: instant(expires_at),
    livemode: false,
    url: `${call.origin}/setup/${link.id}`,
    use_case: { type, account_onboarding: { refresh_url, return_url } },
  };
}

function web(url: string | undefined, param: string): string {
  if (url === undefined) throw missing(param);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw badParameter(param, `Not a valid URL: ${param}`, 'invalid_fields');
  return url;
}

const missing = (param: string) => badParameter(param, `${param}: required request field missing`, 'invalid_fields');

const instant = (at: number): string => new Date(at * 1000).toISOString();
