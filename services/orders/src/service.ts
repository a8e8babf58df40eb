import {
  handleRpc,
  job,
  type Log,
  type OperationsOf,
  observe,
  type Program,
  type RunningService,
  type ServiceDefinition,
  startService,
} from '@corner/chassis';
import { findUnknownAccounts, orders } from '@corner/contracts';
import { createDomains } from './accounts/adapters/domains.ts';
import { createAccounts } from './accounts/adapters.ts';
import { linkAccount, readAccount } from './accounts/operations.ts';
import { findUnknown, lookAtUnseenAccounts, readAccounts, registerShopDomain } from './accounts/sagas.ts';
import { reportRefusedOrders } from './accounts/transactions.ts';
import { createOrder } from './checkout/operations.ts';
import { type OrdersConfig, readOrdersConfig } from './config.ts';
import { expireUnpaidOrders, reconcilePayments } from './confirmation/jobs.ts';
import { confirmOrder } from './confirmation/operations.ts';
import { type Context, createContext, type Provider } from './context.ts';
import { bindSaleWhenTapPresented } from './counter/event-handlers.ts';
import { closeDrawer, listDrawers, openDrawer, payOutOfDrawer } from './counter/operations/drawers.ts';
import { listSales, payByTenders, sellAtCounter } from './counter/operations/sales.ts';
import { erasing } from './customers/entry-points.ts';
import { createDisputes, createTransfers } from './disputes/adapters.ts';
import { moveStoreShares } from './disputes/sagas.ts';
import { createProviderEvents, createWebhookVerifier } from './events/adapters.ts';
import { processProviderEvents, readProviderEvents } from './events/jobs.ts';
import { readProviderState } from './events/tables.ts';
import { stripeWebhook } from './events/webhooks.ts';
import { endOverdueOrders, sendPendingDelayNotices } from './fulfilment/jobs.ts';
import { advanceFulfilment, cancelMyOrder, collectEarlier, correctOrder, notifyDelay, setBusinessStatus } from './fulfilment/operations.ts';
import { createBalance } from './money/adapters.ts';
import { compareLedger } from './money/jobs.ts';
import { handleDayOfMoney } from './money/rpc-handlers.ts';
import { getOrder, listOrders, orderLog } from './order/operations.ts';
import { explain } from './order/sagas.ts';
import { createPayments } from './payment/adapters.ts';
import { createPayouts } from './payouts/adapters.ts';
import { listPayouts } from './payouts/operations.ts';
import { readPayouts } from './payouts/sagas.ts';
import { createKnownState } from './provider/adapters/states.ts';
import { createStripe, watchCalls } from './provider/adapters.ts';
import { handleReadReceipt } from './receipts/rpc-handlers.ts';
import { showCreditNote, showReceipt } from './receipts/webhooks.ts';
import { createRefunds } from './refunds/adapters.ts';
import { refundOrder } from './refunds/operations.ts';
import { closeDays } from './reports/jobs.ts';
import { listTips, readBookKeys, readDayBook, readReport } from './reports/operations.ts';
import { findSilentStores } from './reports/tables/silent-stores.ts';
import { projectContact, projectMenu, projectSlots, projectStore } from './shop/event-handlers.ts';
import {
  getMyOrder,
  listMyOrders,
  listOpenSlots,
  listStoreLog,
  listStores,
  pauseStore,
  readMenu,
  readSwitches,
  switchMenuItem,
} from './shop/operations.ts';
import { readMyOrderStory, readOrderStory } from './story/operations.ts';
import { addPrinter, listPrinters, printTicket, removePrinter } from './tickets/operations.ts';
import { confirmTicket, pollForTicket, takeTicket } from './tickets/webhooks.ts';

export const operations: OperationsOf<typeof orders, Context> = {
  listOrders,
  createOrder,
  getOrder,
  advanceFulfilment,
  orderLog,
  readOrderStory,
  notifyDelay,
  refundOrder,
  setBusinessStatus,
  correctOrder,
  collectEarlier,
  cancelMyOrder,
  confirmOrder,
  sellAtCounter,
  payByTenders,
  listSales,
  openDrawer,
  payOutOfDrawer,
  closeDrawer,
  listDrawers,
  listStores,
  readMenu,
  listOpenSlots,
  listMyOrders,
  getMyOrder,
  readMyOrderStory,
  addPrinter,
  listPrinters,
  removePrinter,
  printTicket,
  readSwitches,
  switchMenuItem,
  pauseStore,
  listStoreLog,
  linkAccount,
  readAccount,
  listPayouts,
  readReport,
  listTips,
  readDayBook,
  readBookKeys,
};

export const eventHandlers = {
  projectMenu,
  projectStore,
  projectSlots,
  projectContact,
  bindSaleWhenTapPresented,
  eraseCustomer: erasing.eventHandler,
};

export const rpcHandlers = {
  handleReadReceipt,
  handleFindUnknownAccounts: handleRpc(findUnknownAccounts, async ({ account_ids }, context: Context) => ({
    unknown: await findUnknown(context, account_ids),
  })),
  handleDayOfMoney,
  ...erasing.rpcHandlers,
};

export const jobs = {
  processProviderEvents: job(1, processProviderEvents),
  readProviderEvents: job(60, readProviderEvents),
  lookAtUnseenAccounts: job(10, lookAtUnseenAccounts),
  readAccounts: job(60, readAccounts),
  registerShopDomain: job(3_600, registerShopDomain),
  compareLedger: job(3_600, compareLedger),
  readPayouts: job(3_600, readPayouts),
  closeDays: job(900, closeDays),
  moveStoreShares: job(60, moveStoreShares),
  reportRefusedOrders: job(300, ({ database }: Context) => database.transaction(reportRefusedOrders)),
  expireUnpaidOrders: job(15, expireUnpaidOrders),
  reconcilePayments: job(10, reconcilePayments),
  sendPendingDelayNotices: job(5, sendPendingDelayNotices),
  endOverdueOrders: job(15, endOverdueOrders),
  finishErasures: erasing.job,
};

/** The service as the chassis runs it, with every entry point. */
export function ordersService(config: OrdersConfig): ServiceDefinition<Context> {
  return {
    name: 'orders',
    contracts: orders,
    operations,
    eventHandlers,
    rpcHandlers,
    jobs,
    webhooks: [stripeWebhook, pollForTicket, takeTicket, confirmTicket, showReceipt, showCreditNote],
    explain,
    observe(context) {
      const stops = [observeProviderState(context), observeSilentStores(context)];
      return () => stops.forEach((stop) => void stop());
    },
    logs: ['store_log_entry'],
    polled: [orders.listStores, orders.readMenu, orders.listOpenSlots, orders.readSwitches, orders.listMyOrders, orders.getMyOrder],
    migrations: `${import.meta.dirname}/../migrations`,
    context: (platform) => createContext(platform, createProvider(config, platform.log), config),
  };
}

/** The adapters of the payment provider, on one client. */
export function createProvider(config: OrdersConfig, log: Log): Provider {
  const known = createKnownState(log);
  const stripe = createStripe({
    secretKey: config.STRIPE_SECRET_KEY,
    apiBase: config.STRIPE_API_BASE,
    timeoutMs: config.STRIPE_TIMEOUT_MS,
  });
  const watched = <Calls extends object>(adapter: Calls) => watchCalls(adapter, config.STRIPE_API_BASE ?? 'https://api.stripe.com');
  return {
    payments: watched(createPayments(stripe, config.STRIPE_MOBILE_API_VERSION, known)),
    refunds: watched(createRefunds(stripe, known)),
    accounts: watched(createAccounts(stripe, known)),
    payouts: watched(createPayouts(stripe, known)),
    balance: watched(createBalance(stripe)),
    disputes: watched(createDisputes(stripe, known)),
    transfers: watched(createTransfers(stripe)),
    domains: watched(createDomains(stripe)),
    providerEvents: watched(createProviderEvents(stripe)),
    webhookVerifier: createWebhookVerifier(stripe, config.STRIPE_WEBHOOK_SECRETS),
  };
}

/** Milliseconds between two looks for silent stores. It reads weeks of each store, and is about an hour. */
const silenceMs = 300_000;

/** Counts the stores that are silent at an hour when they usually are not, and logs their codes when others are: a label of stores has no bound. */
function observeSilentStores({ database, now, log }: Context): () => void {
  let logged = '';
  let codes: readonly string[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  return observe(['corner.stores.silent'], async (report) => {
    if (performance.now() - lookedAt >= silenceMs) {
      codes = await findSilentStores(database, now());
      lookedAt = performance.now();
    }
    report('corner.stores.silent', codes.length, {});
    if (codes.length > 0 && codes.join() !== logged)
      log.warn({ stores: codes }, 'stores are paid nothing at an hour when they usually are');
    logged = codes.join();
  });
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

export const ordersProgram: Program<OrdersConfig, RunningService<Context>> = {
  name: 'orders',
  readConfig: readOrdersConfig,
  start: (config, overrides) => startService(ordersService(config), config, overrides),
};
