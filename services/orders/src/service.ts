import { job, type OperationsOf, observe, type ServiceDefinition } from '@corner/chassis';
import { orders } from '@corner/contracts';
import { createAccounts } from './adapters/accounts.ts';
import { createBalance } from './adapters/balance.ts';
import { createDisputes } from './adapters/disputes.ts';
import { createPayments } from './adapters/payments.ts';
import { createProviderEvents, createWebhookVerifier } from './adapters/provider-events.ts';
import { createStripe } from './adapters/stripe-client.ts';
import { createTransfers } from './adapters/transfers.ts';
import { watchPayments } from './adapters/watch-payments.ts';
import type { OrdersConfig } from './config.ts';
import { type Context, createContext, type Provider } from './context.ts';
import { projectContact, projectMenu, projectSlots, projectStore } from './event-handlers.ts';
import { compareLedger } from './jobs/compare-ledger.ts';
import { expireUnpaidOrders } from './jobs/expire-unpaid-orders.ts';
import { moveStoreShares } from './jobs/move-store-shares.ts';
import { lookAtUnseenAccounts, readAccounts } from './jobs/read-accounts.ts';
import { processProviderEvents, readProviderEvents } from './jobs/read-provider-events.ts';
import { reconcilePayments } from './jobs/reconcile-payments.ts';
import { sendPendingDelayNotices } from './jobs/send-pending-delay-notices.ts';
import { confirmOrder } from './operations/confirm-order.ts';
import { createOrder } from './operations/create-order.ts';
import { getMyOrder, listMyOrders } from './operations/customer-orders.ts';
import { advanceFulfilment, collectEarlier } from './operations/fulfilment.ts';
import { notifyDelay } from './operations/notify-delay.ts';
import { getOrder, listOrders, orderLog } from './operations/read-orders.ts';
import { refundOrder } from './operations/refund-order.ts';
import { setBusinessStatus } from './operations/set-business-status.ts';
import { listOpenSlots, listStores, readMenu } from './operations/stores.ts';
import { handleDayOfMoney, handleFindUnknownAccounts, handleReadReceipt } from './rpc-handlers.ts';
import { explain } from './sagas/explain.ts';
import { readProviderState } from './tables/provider-state.ts';
import { reportRefusedOrders } from './transactions/report-refused-orders.ts';
import { stripeWebhook } from './webhooks/stripe.ts';

export const operations: OperationsOf<typeof orders, Context> = {
  listOrders,
  createOrder,
  getOrder,
  advanceFulfilment,
  orderLog,
  notifyDelay,
  refundOrder,
  setBusinessStatus,
  collectEarlier,
  confirmOrder,
  listStores,
  readMenu,
  listOpenSlots,
  listMyOrders,
  getMyOrder,
};

export const eventHandlers = { projectMenu, projectStore, projectSlots, projectContact };

export const rpcHandlers = { handleReadReceipt, handleFindUnknownAccounts, handleDayOfMoney };

export const jobs = {
  processProviderEvents: job(1, processProviderEvents),
  readProviderEvents: job(60, readProviderEvents),
  lookAtUnseenAccounts: job(10, lookAtUnseenAccounts),
  readAccounts: job(60, readAccounts),
  compareLedger: job(3_600, compareLedger),
  moveStoreShares: job(60, moveStoreShares),
  reportRefusedOrders: job(300, ({ database }: Context) => database.transaction(reportRefusedOrders)),
  expireUnpaidOrders: job(15, expireUnpaidOrders),
  reconcilePayments: job(10, reconcilePayments),
  sendPendingDelayNotices: job(5, sendPendingDelayNotices),
};

/** The service as the chassis runs it, with every entry point. */
export function ordersService(config: OrdersConfig): ServiceDefinition<Context> {
  const provider = createProvider(config);
  return {
    name: 'orders',
    contracts: orders,
    operations,
    eventHandlers,
    rpcHandlers,
    jobs,
    webhooks: [stripeWebhook],
    explain,
    observe: observeProviderState,
    migrations: `${import.meta.dirname}/../migrations`,
    context: (platform) => createContext(platform, provider, config),
  };
}

/** The adapters of the payment provider, on one client. */
function createProvider(config: OrdersConfig): Provider {
  const stripe = createStripe({
    secretKey: config.STRIPE_SECRET_KEY,
    apiBase: config.STRIPE_API_BASE,
    timeoutMs: config.STRIPE_TIMEOUT_MS,
  });
  const watched = <Calls extends object>(adapter: Calls) => watchPayments(adapter, config.STRIPE_API_BASE ?? 'https://api.stripe.com');
  return {
    payments: watched(createPayments(stripe, config.STRIPE_MOBILE_API_VERSION)),
    accounts: watched(createAccounts(stripe)),
    balance: watched(createBalance(stripe)),
    disputes: watched(createDisputes(stripe)),
    transfers: watched(createTransfers(stripe)),
    providerEvents: watched(createProviderEvents(stripe)),
    webhookVerifier: createWebhookVerifier(stripe, config.STRIPE_WEBHOOK_SECRETS),
  };
}

/** Reports how far the provider's lists were read, and what at the provider needs a person. */
const observeProviderState = ({ database, now }: Context): (() => void) =>
  observe(
    [
      'corner.provider.cursor.age',
      'corner.ledger.differences',
      'corner.accounts.restricted',
      'corner.disputes.due',
      'corner.disputes.shares.failing',
    ],
    async (report) => {
      const state = await readProviderState(database, now());
      for (const { name, age } of state.cursors) report('corner.provider.cursor.age', age, { 'corner.cursor': name });
      report('corner.ledger.differences', state.differences, {});
      report('corner.accounts.restricted', state.restricted, {});
      report('corner.disputes.due', state.disputes_due, {});
      report('corner.disputes.shares.failing', state.shares_failing, {});
    },
  );
