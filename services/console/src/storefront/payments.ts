import { nameEntryPoints } from '@corner/chassis/edge';
import { ShopSettings } from '@corner/console-api';
import type { Express } from 'express';
import type { PagePolicy } from '../http/protect-pages.ts';
import type { StorefrontConfig } from './config.ts';

type PaymentConfig = Pick<StorefrontConfig, 'STRIPE_PUBLISHABLE_KEY' | 'SANDBOX_PAYMENTS_URL'>;

/** The key for devices that the simulator of payments accepts. It is valid nowhere else. */
const simulatorKey = 'pk_test_corner';

export function addSettings(app: Express, config: PaymentConfig & Pick<StorefrontConfig, 'SHOP_ISSUER'>): void {
  const settings = ShopSettings.parse({ payments: paymentsOf(config), accounts: config.SHOP_ISSUER !== undefined });
  nameEntryPoints('http.route', ['/shop.json']);
  app.get('/shop.json', (_request, response) => void response.set('Cache-Control', 'no-cache').json(settings));
}

function paymentsOf({ STRIPE_PUBLISHABLE_KEY: key, SANDBOX_PAYMENTS_URL: url }: PaymentConfig): ShopSettings['payments'] {
  if (key !== undefined) return { kind: 'stripe', publishable_key: key };
  return url === undefined ? null : { kind: 'sandbox', url, publishable_key: simulatorKey };
}

/** Stripe's script, the frames of its fields and those in which a bank authenticates the customer. */
const stripeFrames = ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'];

export function policyOf({ STRIPE_PUBLISHABLE_KEY: key, SANDBOX_PAYMENTS_URL: url }: PaymentConfig): PagePolicy {
  const closed = 'camera=(), geolocation=(), microphone=()';
  if (key === undefined) return { connections: url === undefined ? [] : [url], permissions: `${closed}, payment=()`, listed: true };
  return {
    scripts: stripeFrames.slice(0, 2),
    connections: ['https://api.stripe.com'],
    frames: stripeFrames,
    permissions: `${closed}, payment=(self "https://js.stripe.com")`,
    listed: true,
  };
}
