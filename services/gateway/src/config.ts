import { isIP } from 'node:net';
import { processSettings, readConfig } from '@corner/chassis/edge';
import { z } from 'zod';

const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address', abort: true })
  .refine((url) => new URL(url).pathname === '/' && new URL(url).search === '', 'must be an address without a path')
  .transform((url) => new URL(url).origin);
const bytes = z.coerce
  .number()
  .int()
  .min(1)
  .max(64 * 1024 * 1024);

const milliseconds = z.coerce.number().int().min(10).max(600_000);
const listed = (list: string): string[] => list.split(',').flatMap((entry) => entry.trim() || []);

const settings = z.object({
  ...processSettings,
  ORDERS_URL: origin,
  LOYALTY_URL: origin,
  QUEUE_URL: origin,
  NOTIFICATIONS_URL: origin,
  /** Where `/metrics` is served: a port of its own, since PORT is the public's. Without it the gateway's figures are only pushed. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** Milliseconds a service may take to begin its answer once it has the whole request, and between two parts of the answer. */
  UPSTREAM_TIMEOUT_MS: z.coerce.number().int().min(10).max(300_000).default(15_000),
  /** Bytes of a request's body. */
  MAX_BODY_BYTES: bytes.default(64 * 1024),
  WEBHOOK_MAX_BODY_BYTES: bytes.default(256 * 1024),
  /** `off` where something in front already limits, and for measuring. */
  RATE_LIMITS: z.enum(['enforced', 'off']).default('enforced'),
  /** Origins whose pages may call, as https://shop.example, separated by commas. None by default; `*` is any, and not for production. */
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform(listed)
    .refine((list) => list.every(isOrigin), 'must be origins such as https://shop.example, separated by commas'),
  /** Milliseconds in which a request's headers, and the whole of it, have to have come. */
  HEADERS_TIMEOUT_MS: milliseconds.default(10_000),
  REQUEST_TIMEOUT_MS: milliseconds.default(30_000),
  /** Milliseconds an idle connection is kept: longer than balancers in front keep theirs. */
  KEEP_ALIVE_TIMEOUT_MS: milliseconds.default(65_000),
  /** The gateway's own role in a database all gateways reach, so that they limit together. Without it each counts for itself. */
  LIMITS_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  /** Milliseconds a request may wait for that database before it is counted in this process alone. */
  LIMITS_TIMEOUT_MS: milliseconds.default(300),
  /** Development only: a run's description, as `corner start` writes it, with whose tokens operations are tried at /docs. */
  DOCS_TOKENS_FILE: z.string().min(1).optional(),
  /** Balancers whose X-Forwarded-For is believed: addresses or ranges, separated by commas. None by default. */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(listed)
    .refine((list) => list.every(isRange), 'must be addresses or ranges such as 10.0.0.0/8, separated by commas'),
});

/** Any page of the web may call, and anybody be somebody, only where nothing is at stake. */
const gatewaySettings = settings
  .refine(({ NODE_ENV, CORS_ORIGINS }) => NODE_ENV !== 'production' || !CORS_ORIGINS.includes('*'), {
    path: ['CORS_ORIGINS'],
    error: 'must name its origins in production: * is any page of the web',
  })
  .refine(({ NODE_ENV, DOCS_TOKENS_FILE }) => NODE_ENV !== 'production' || DOCS_TOKENS_FILE === undefined, {
    path: ['DOCS_TOKENS_FILE'],
    error: 'is for development: in production nobody is shown tokens',
  });

export type GatewayConfig = z.output<typeof gatewaySettings>;

/** Reads the environment of the gateway. Throws one fault that names every setting that is missing or wrong. */
export const readGatewayConfig = (env: Readonly<Record<string, string | undefined>>): GatewayConfig => readConfig(gatewaySettings, env);

function isRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Exactly as a browser says it: a scheme and a host, no path. */
const isOrigin = (entry: string): boolean =>
  entry === '*' || (/^https?:\/\/[\w.:[\]-]+$/.test(entry) && URL.canParse(entry) && new URL(entry).origin === entry);
