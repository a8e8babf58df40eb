import type { Operation } from '@corner/chassis';
import { type orders, Problem, type ProviderMode } from '@corner/contracts';
import type { AccountsContext } from './context.ts';
import type { ProviderAccount } from './rules.ts';
import { linkAccount as linkAccountOf, lookAtAccount } from './sagas.ts';
import { findAccount, findAccountOfStore, type StoredAccount } from './tables.ts';

export const linkAccount: Operation<typeof orders.linkAccount, AccountsContext> = async ({ params, body }, context) => {
  const { return_url: returnUrl, refresh_url: refreshUrl, email, country } = body;
  for (const [field, url] of Object.entries({ return_url: returnUrl, refresh_url: refreshUrl })) {
    if (context.mode === 'live' && !url.startsWith('https:')) {
      throw new Problem('VALIDATION_FAILED', { message: `body.${field}: must begin with https://.` });
    }
  }
  const { url, expiresAt } = await linkAccountOf(context, params.store_id, { email, country }, { returnUrl, refreshUrl });
  return { url, expires_at: expiresAt };
};

export const readAccount: Operation<typeof orders.readAccount, AccountsContext> = async ({ params }, context) => {
  const { database, log, mode } = context;
  const store = await findAccountOfStore(database, params.store_id, mode);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  const id = store.named ?? store.opened;
  if (id === null) return { account: null };
  const connected = id === store.named;
  try {
    return { account: { ...ofProvider(await lookAtAccount(context, id), mode), connected } };
  } catch (error) {
    const stored = error instanceof Problem ? await findAccount(database, id) : null;
    if (!stored) throw error;
    log.warn({ err: error, store_id: params.store_id }, 'the account of a store could not be read: its stored state is shown');
    return { account: { ...ofStored(stored), connected } };
  }
};

const last4 = (id: string): string => id.slice(-4);

const ofProvider = ({ id, acceptsOrders, reasons, facts }: ProviderAccount, mode: ProviderMode) => ({
  mode,
  last4: last4(id),
  accepts_orders: acceptsOrders,
  details_submitted: facts?.detailsSubmitted ?? false,
  payouts_enabled: facts?.payoutsEnabled ?? false,
  requirements: {
    currently_due: [...(facts?.currentlyDue ?? [])],
    past_due: [...(facts?.pastDue ?? [])],
    deadline: facts?.dueBy?.toISOString() ?? null,
  },
  reasons: [...reasons],
});

const ofStored = ({ account_id, due_by: deadline, currently_due, past_due, ...state }: StoredAccount) => ({
  mode: state.mode,
  last4: last4(account_id),
  accepts_orders: state.accepts_orders,
  details_submitted: state.details_submitted,
  payouts_enabled: state.payouts_enabled,
  requirements: { currently_due, past_due, deadline },
  reasons: state.reasons,
});
