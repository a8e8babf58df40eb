import {
  handleRpc,
  job,
  type Log,
  type OperationsOf,
  type Program,
  type RunningService,
  type ServiceDefinition,
  startService,
} from '@corner/chassis';
import { findUnknownAccounts, orders } from '@corner/contracts';
import { createDomains } from './accounts/adapters/domains.ts';
import { createAccounts } from './accounts/adapters.ts';
import type { AccountsContext } from './accounts/context.ts';
import { linkAccount, readAccount } from './accounts/operations.ts';
import { domainOf } from './accounts/rules.ts';
import { findUnknown, lookAtUnseenAccounts, readAccounts, registerShopDomain } from './accounts/sagas.ts';
import { reportRefusedOrders } from './accounts/transactions.ts';
import type { CheckoutContext } from './checkout/context.ts';
import { createOrder } from './checkout/operations.ts';
import { orderLimits } from './checkout/rules/limits.ts';
import { type OrdersConfig, readOrdersConfig } from './config.ts';
import { expireUnpaidOrders, reconcilePayments } from './confirmation/jobs.ts';
import { confirmOrder } from './confirmation/operations.ts';
import { type Context, createContext } from './context.ts';
import { bindSaleWhenTapPresented } from './counter/event-handlers.ts';
import { closeDrawer, listDrawers, openDrawer, payOutOfDrawer } from './counter/operations/drawers.ts';
import { listSales, payByTenders, sellAtCounter } from './counter/operations/sales.ts';
import { erasing } from './customers/entry-points.ts';
import { createDisputes, createTransfers } from './disputes/adapters.ts';
import { moveStoreShares } from './disputes/sagas.ts';
import { createProviderEvents, createWebhookVerifier } from './events/adapters.ts';
import type { EventsContext } from './events/context.ts';
import { observeProviderState, processProviderEvents, readProviderEvents } from './events/jobs.ts';
import { stripeWebhook } from './events/webhooks.ts';
import { endOverdueOrders, sendPendingDelayNotices } from './fulfilment/jobs.ts';
import { advanceFulfilment, cancelMyOrder, collectEarlier, correctOrder, notifyDelay, setBusinessStatus } from './fulfilment/operations.ts';
import { createBalance } from './money/adapters.ts';
import type { MoneyContext } from './money/context.ts';
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
import { learnReadyTimes, readReadyTimes } from './ready-times/entry-points.ts';
import { handleReadReceipt } from './receipts/rpc-handlers.ts';
import { showCreditNote, showReceipt } from './receipts/webhooks.ts';
import { createRefunds } from './refunds/adapters.ts';
import { refundDepositWhenReturned } from './refunds/event-handlers.ts';
import { refundOrder } from './refunds/operations.ts';
import type { ReportsContext } from './reports/context.ts';
import { createBookSigner } from './reports/crypto.ts';
import { closeDays, observeSilentStores } from './reports/jobs.ts';
import { enterTipShares, listTips, readBookKeys, readDayBook, readReport, readTipShares } from './reports/operations.ts';
import { projectContact, projectMenu, projectSlots, projectStore } from './shop/event-handlers.ts';
import {
  getMyOrder,
  listMyOrders,
  listOpenSlots,
  listStoreLog,
  listStores,
  pauseStore,
  readMenu,
  readPace,
  readSwitches,
  setPace,
  switchMenuItem,
} from './shop/operations.ts';
import { readMyOrderStory, readOrderStory } from './story/operations.ts';
import { addPrinter, listPrinters, printTicket, removePrinter } from './tickets/operations.ts';
import { confirmTicket, pollForTicket, takeTicket } from './tickets/webhooks.ts';

export interface OrdersContext extends CheckoutContext, EventsContext, MoneyContext, ReportsContext {}

export const operations: OperationsOf<typeof orders, OrdersContext> = {
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
  readPace,
  setPace,
  listStoreLog,
  linkAccount,
  readAccount,
  listPayouts,
  readReport,
  readReadyTimes,
  listTips,
  enterTipShares,
  readTipShares,
  readDayBook,
  readBookKeys,
};

export const eventHandlers = {
  projectMenu,
  projectStore,
  projectSlots,
  projectContact,
  bindSaleWhenTapPresented,
  refundDepositWhenReturned,
  eraseCustomer: erasing.eventHandler,
};

export const rpcHandlers = {
  handleReadReceipt,
  handleFindUnknownAccounts: handleRpc(findUnknownAccounts, async ({ account_ids }, context: AccountsContext) => ({
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
  learnReadyTimes: job(3_600, learnReadyTimes),
  moveStoreShares: job(60, moveStoreShares),
  reportRefusedOrders: job(300, ({ database }: Context) => database.transaction(reportRefusedOrders)),
  expireUnpaidOrders: job(15, expireUnpaidOrders),
  reconcilePayments: job(10, reconcilePayments),
  sendPendingDelayNotices: job(5, sendPendingDelayNotices),
  endOverdueOrders: job(15, endOverdueOrders),
  finishErasures: erasing.job,
};

export function ordersService(config: OrdersConfig): ServiceDefinition<OrdersContext> {
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
    polled: [
      orders.listStores,
      orders.readMenu,
      orders.listOpenSlots,
      orders.readSwitches,
      orders.readPace,
      orders.listMyOrders,
      orders.getMyOrder,
    ],
    migrations: `${import.meta.dirname}/../migrations`,
    context: (platform) => ({
      ...createContext(platform, config),
      ...createProvider(config, platform.log),
      paymentsInSync: new Map(),
      orderLimits: orderLimits(config),
      bookSigner: createBookSigner(config.BOOK_SIGNING_KEYS),
      consoleUrl: config.CONSOLE_URL ?? null,
      shopDomain: domainOf(config.SHOP_URL),
    }),
  };
}

export function createProvider(config: OrdersConfig, log: Log) {
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

export const ordersProgram: Program<OrdersConfig, RunningService<OrdersContext>> = {
  name: 'orders',
  readConfig: readOrdersConfig,
  start: (config, overrides) => startService(ordersService(config), config, overrides),
};
