import { notInProduction, processSettings, readConfig, secret, trustedProxies } from '@corner/chassis/config';
import { z } from 'zod';
import { gatewayTimeout, httpUrl, isWithoutTls, openIdScope, origin, pagesOrigin } from '../config.ts';

const settings = z.object({
  ...processSettings,
  /** The address under which browsers reach the shop: https, or http on localhost. */
  SHOP_URL: pagesOrigin,
  /** The address of the gateway, which serves the operations. */
  GATEWAY_URL: origin,
  GATEWAY_TIMEOUT_MS: gatewayTimeout,
  /** Stripe's key for browsers. Without it nothing can be paid. */
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_\w+$/, 'must be a publishable key, which begins with pk_')
    .optional(),
  /** Where browsers reach the simulator of the payment provider. */
  SANDBOX_PAYMENTS_URL: notInProduction(origin, () => true, 'unset it: the simulator is for development').optional(),
  /** The OpenID provider of customers’ accounts, or its discovery document. Without it every customer is a guest. */
  SHOP_ISSUER: notInProduction(httpUrl(), isWithoutTls, 'name an https address').optional(),
  /** The pages as the provider knows them, with `SHOP_URL/signed-in` as their redirect. */
  SHOP_CLIENT_ID: z.string().min(1).optional(),
  /** Absent for a public client, which proves itself by PKCE alone. */
  SHOP_CLIENT_SECRET: secret(z.string().min(1)).optional(),
  /** The scope requested of the provider. */
  SHOP_SCOPE: openIdScope.default('openid profile email'),
  /** The folder of the built pages; `dist/shop` of this service when absent. */
  SHOP_PAGES: z.string().min(1).optional(),
  /** The metrics of the process, apart from the public port. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  TRUSTED_PROXIES: trustedProxies,
});

const storefrontSettings = settings
  .refine(({ SHOP_ISSUER, SHOP_CLIENT_ID }) => (SHOP_ISSUER === undefined) === (SHOP_CLIENT_ID === undefined), {
    path: ['SHOP_CLIENT_ID'],
    error: 'is for SHOP_ISSUER: set both or neither',
  })
  .refine(
    ({ STRIPE_PUBLISHABLE_KEY, SANDBOX_PAYMENTS_URL }) => STRIPE_PUBLISHABLE_KEY === undefined || SANDBOX_PAYMENTS_URL === undefined,
    { path: ['SANDBOX_PAYMENTS_URL'], error: 'is for payments without Stripe: unset it or STRIPE_PUBLISHABLE_KEY' },
  );

export type StorefrontConfig = z.output<typeof storefrontSettings>;

/** Reads the storefront's settings. Throws one error that names every missing or wrong setting. */
export const readStorefrontConfig = (env: Readonly<Record<string, string | undefined>> = process.env): StorefrontConfig =>
  readConfig(storefrontSettings, env);
