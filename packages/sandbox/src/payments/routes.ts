import { listAccountBalance, listPayouts } from './account-balance.ts';
import { retrieveAccount } from './accounts.ts';
import { retrieveBalance } from './balance.ts';
import { createIntent } from './create-intent.ts';
import { createCustomer, createEphemeralKey, deleteCustomer, isDeleted } from './customers.ts';
import { updateDispute } from './disputes.ts';
import { createDomain, validateDomain } from './domains.ts';
import { listEvents, retrieveEvent } from './events.ts';
import { listOf, oneOfKind } from './listing.ts';
import { createAccount, createAccountLink, listAccounts } from './onboarding.ts';
import { cancelIntent, confirmIntentCall, retrieveIntent } from './payment-intents.ts';
import { createRefund } from './refunds.ts';
import { createReversal, createTransfer, listReversals } from './transfers.ts';
import type { Call, World } from './world.ts';

export interface Route {
  readonly line: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly pattern: RegExp;
  readonly forDevices: boolean;
  readonly handle: (call: Call, world: World) => object;
}

const route = (line: string, handle: Route['handle'], forDevices = false): Route => {
  const [method, path = ''] = line.split(' ');
  return {
    line,
    method: method as Route['method'],
    pattern: new RegExp(`^/${path.startsWith('v2/') ? '' : 'v1/'}${path.replaceAll(':id', '([A-Za-z0-9_]+)')}$`),
    forDevices,
    handle,
  };
};
const forDevices = true;

const listBalance = listOf('balance_transaction', '/v1/balance_transactions', {
  currency: (movement, currency) => movement.currency === currency,
  payout: (movement, payout) => movement.payout === payout,
  source: (movement, source) => movement.source === source,
  type: (movement, type) => movement.type === type,
});

export const routes: readonly Route[] = [
  route('POST payment_intents', createIntent),
  route(
    'GET payment_intents',
    listOf('payment_intent', '/v1/payment_intents', { customer: (intent, customer) => intent.customer === customer }),
  ),
  route('GET payment_intents/:id', retrieveIntent, forDevices),
  route('POST payment_intents/:id/confirm', confirmIntentCall, forDevices),
  route('POST payment_intents/:id/cancel', cancelIntent),

  route('POST refunds', createRefund),
  route(
    'GET refunds',
    listOf('refund', '/v1/refunds', {
      payment_intent: (refund, intent) => refund.payment_intent === intent,
      charge: (refund, charge) => refund.charge === charge,
    }),
  ),
  route('GET refunds/:id', oneOfKind('refund')),

  route('POST customers', createCustomer),
  route(
    'GET customers',
    listOf('customer', '/v1/customers', { email: (customer, email) => customer.email === email }, (customer) => !isDeleted(customer)),
  ),
  route(
    'GET customers/:id',
    oneOfKind('customer', 'customer', (customer) => !isDeleted(customer)),
  ),
  route('DELETE customers/:id', deleteCustomer),
  route('POST ephemeral_keys', createEphemeralKey),

  route(
    'GET charges',
    listOf('charge', '/v1/charges', {
      customer: (charge, customer) => charge.customer === customer,
      payment_intent: (charge, intent) => charge.payment_intent === intent,
      transfer_group: (charge, group) => charge.transfer_group === group,
    }),
  ),
  route('GET charges/:id', oneOfKind('charge')),
  route('POST payment_method_domains', createDomain),
  route(
    'GET payment_method_domains',
    listOf('payment_method_domain', '/v1/payment_method_domains', { domain_name: (domain, name) => domain.domain_name === name }),
  ),
  route('POST payment_method_domains/:id/validate', validateDomain),
  route('POST transfers', createTransfer),
  route(
    'GET transfers',
    listOf('transfer', '/v1/transfers', {
      destination: (transfer, account) => transfer.destination === account,
      transfer_group: (transfer, group) => transfer.transfer_group === group,
    }),
  ),
  route('POST transfers/:id/reversals', createReversal),
  route('GET transfers/:id/reversals', listReversals),
  route('GET transfers/:id', oneOfKind('transfer')),
  route('GET application_fees', listOf('application_fee', '/v1/application_fees', { charge: (fee, charge) => fee.charge === charge })),
  route('GET application_fees/:id', oneOfKind('application_fee', 'application fee')),
  route(
    'GET disputes',
    listOf('dispute', '/v1/disputes', {
      charge: (dispute, charge) => dispute.charge === charge,
      payment_intent: (dispute, intent) => dispute.payment_intent === intent,
    }),
  ),
  route('GET disputes/:id', oneOfKind('dispute')),
  route('POST disputes/:id', updateDispute),
  route('GET balance_transactions', (call, world) => (call.account === null ? listBalance(call, world) : listAccountBalance(call, world))),
  route('GET payouts', listPayouts),
  route('GET balance_transactions/:id', oneOfKind('balance_transaction', 'balance transaction')),
  route('GET balance', retrieveBalance),
  route('POST v2/core/accounts', createAccount),
  route('GET v2/core/accounts', listAccounts),
  route('POST v2/core/account_links', createAccountLink),
  route('GET accounts', listOf('account', '/v1/accounts')),
  route('GET accounts/:id', retrieveAccount),
  route('GET events', listEvents),
  route('GET events/:id', retrieveEvent),
];
