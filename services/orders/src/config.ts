import { createPrivateKey } from 'node:crypto';
import { json, linkedAddress, notInProduction, readConfig, secret, serviceSettings } from '@corner/chassis/config';
import type { ProviderMode } from '@corner/contracts';
import { z } from 'zod';

/** A key's name says its mode, and ids of one mode mean nothing in the other. */
const secretKey = z.string().regex(/^[a-z]+_(org_)?(test|live)_./, 'must be a secret key of Stripe, such as sk_test_…');

/** An Ed25519 key as JWK. A key that only signed earlier days is given without its private part `d`. */
const BookKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[\w-]{43}$/),
  d: z
    .string()
    .regex(/^[\w-]{43}$/)
    .optional(),
});

const BookKeys = json
  .transform((value) => (Array.isArray(value) ? value : [value]))
  .pipe(z.array(BookKey).min(1))
  .refine(([first]) => first?.d !== undefined, 'must begin with a private key of Ed25519, as JWK')
  .refine((keys) => keys.every(isPair), 'has a key whose x is not the public part of its d');

/** Whether the public part matches the private one, if there is one. Node refuses any other pair. */
function isPair({ d, ...shown }: z.output<typeof BookKey>): boolean {
  try {
    return d === undefined || createPrivateKey({ key: { ...shown, d }, format: 'jwk' }).type === 'private';
  } catch {
    return false;
  }
}

/** The key that docker-compose.yml publishes. */
const publishedKey = 'iOR5Hl8_oYcwc9zzzBg4cpZunF2bfsIpupc1TiaCwHI';

const limit = z.coerce.number().int().min(1).max(1_000_000);

const settings = z.object({
  ...serviceSettings,
  STRIPE_SECRET_KEY: secret(notInProduction(secretKey, (key) => key === 'sk_test_corner', 'set the secret key of your Stripe account')),
  STRIPE_API_BASE: notInProduction(z.url(), () => true, 'leave it empty, so that Stripe is called').optional(),
  STRIPE_WEBHOOK_SECRETS: secret(
    notInProduction(
      z
        .string()
        .min(1)
        .transform((list) =>
          list
            .split(',')
            .map((secret) => secret.trim())
            .filter(Boolean),
        ),
      (secrets) => secrets.includes('whsec_corner'),
      'set the signing secret of your webhook endpoint at Stripe',
    ),
  ),
  /** Milliseconds until a request without a response counts as lost. It is then sent twice more, under the same key. */
  STRIPE_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
  STRIPE_MOBILE_API_VERSION: z.string().default('2026-10-28.endive'),
  /**
   * The secret of the hashes of devices, and of the tokens of printers and receipts, the same on every replica. Another secret changes them
   * all, so it is kept.
   */
  DEVICE_HASH_SECRET: secret(
    notInProduction(
      z.string().min(32, 'must be at least 32 characters'),
      (secret) => secret === 'a-development-secret-of-device-hashes',
      'set 32 random characters or more',
    ),
  ).default('a-development-secret-of-device-hashes'),
  /**
   * Keys of Ed25519 as JWK, one or a list: the first signs the days that are closed, all are published. Keep the public part of one that
   * signed before in the list. Without it days are closed unsigned.
   */
  BOOK_SIGNING_KEYS: secret(
    notInProduction(BookKeys, (keys) => keys.some(({ x }) => x === publishedKey), 'set a private key of Ed25519 of your own'),
  ).default([]),
  /** Where customers reach the gateway: the addresses of receipts contain it. Without it no order has one. */
  PUBLIC_BASE_URL: linkedAddress('set the https:// address of the gateway that customers reach'),
  /** Where customers reach the shop's pages: its domain is registered for Apple Pay. */
  SHOP_URL: linkedAddress('set the https:// address of the shop that customers reach'),
  /** Where a store's people reach the console: the code on a closed day's paper opens it. Without it a paper has no code. */
  CONSOLE_URL: linkedAddress('set the https:// address of the console'),
  /** Minutes an unpaid order keeps its holds; UNTRIED_HOLD_MINUTES applies until someone tries to pay it, and is never longer. */
  HOLD_MINUTES: z.coerce.number().int().min(1).max(120).default(15),
  UNTRIED_HOLD_MINUTES: z.coerce.number().int().min(1).max(120).default(8),
  /** Most open orders of a customer, a device and an address at a store: unpaid ones, and free ones without a voucher. */
  UNPAID_ORDERS_PER_CUSTOMER: limit.default(10),
  UNPAID_ORDERS_PER_DEVICE: limit.default(10),
  UNPAID_ORDERS_PER_ADDRESS: limit.default(200),
  FREE_ORDERS_PER_CUSTOMER: limit.default(10),
  FREE_ORDERS_PER_DEVICE: limit.default(10),
  FREE_ORDERS_PER_ADDRESS: limit.default(100),
  /**
   * How much of a stock, a slot or a promo code unpaid orders of customers who never paid may hold together: this amount, or this
   * percentage if that is more.
   */
  UNPROVEN_AMOUNT: z.coerce.number().int().min(0).max(1_000_000).default(20),
  UNPROVEN_PERCENT: z.coerce.number().int().min(0).max(100).default(75),
});
export type OrdersConfig = z.output<typeof settings>;

export const modeOf = (key: string): ProviderMode => (/^[a-z]+_(org_)?live_/.test(key) ? 'live' : 'test');

/** Reads the environment of this service. Throws one error that names every missing or invalid setting. */
export const readOrdersConfig = (environment: Readonly<Record<string, string | undefined>> = process.env): OrdersConfig =>
  readConfig(settings, environment);
