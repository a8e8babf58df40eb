import type { ServiceDefinition } from '@corner/chassis';
import { orders } from '@corner/contracts';
import { createPayments } from './adapters/payments.ts';
import { watchPayments } from './adapters/watch-payments.ts';
import type { OrdersConfig } from './config.ts';
import { type Context, createContext } from './context.ts';
import { eventHandlers } from './event-handlers.ts';
import { jobs } from './jobs.ts';
import { operations } from './operations.ts';
import { explainOrders } from './tables/explain.ts';
import { stripeWebhook } from './webhooks/stripe.ts';

/** The service as the chassis runs it: its doors, by kind. */
export function ordersService(config: OrdersConfig): ServiceDefinition<Context> {
  const provider = createPayments({
    secretKey: config.STRIPE_SECRET_KEY,
    apiBase: config.STRIPE_API_BASE,
    webhookSecrets: config.STRIPE_WEBHOOK_SECRETS,
    mobileApiVersion: config.STRIPE_MOBILE_API_VERSION,
  });
  return {
    name: 'orders',
    contracts: orders,
    operations,
    eventHandlers,
    jobs,
    webhooks: [stripeWebhook],
    explain: (ids, { database }) => explainOrders(database, ids),
    migrations: `${import.meta.dirname}/../migrations`,
    context: (platform) => createContext(platform, watchPayments(provider), config.HOLD_MINUTES),
  };
}
