import { notInProduction, processSettings, readConfig, secret, trustedProxies } from '@corner/chassis/config';
import { z } from 'zod';
import { gatewayTimeout, httpUrl, isWithoutTls, openIdScope, origin, pagesOrigin } from '../config.ts';

const settings = z.object({
  ...processSettings,
  SHOP_URL: pagesOrigin,
  GATEWAY_URL: origin,
  GATEWAY_TIMEOUT_MS: gatewayTimeout,
  /** Stripe's key for browsers. Without it or SANDBOX_PAYMENTS_URL, a simulator, payments are off. */
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_\w+$/, 'must be a publishable key, which begins with pk_')
    .optional(),
  SANDBOX_PAYMENTS_URL: notInProduction(origin, () => true, 'unset it: the simulator is for development').optional(),
  /**
   * The OpenID provider of customers’ accounts, or its discovery document. Without it every customer is a guest. The provider has
   * `SHOP_URL/signed-in` as the redirect of SHOP_CLIENT_ID; without a secret it is a public client, which proves itself by PKCE alone.
   */
  SHOP_ISSUER: notInProduction(httpUrl(), isWithoutTls, 'name an https address').optional(),
  SHOP_CLIENT_ID: z.string().min(1).optional(),
  SHOP_CLIENT_SECRET: secret(z.string().min(1)).optional(),
  SHOP_SCOPE: openIdScope.default('openid profile email'),
  SHOP_PAGES: z.string().min(1).optional(),
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

export const readStorefrontConfig = (env: Readonly<Record<string, string | undefined>> = process.env): StorefrontConfig =>
  readConfig(storefrontSettings, env);
