import { authSettings, databaseUrl, processSettings, readConfig, trustedProxies } from '@corner/chassis/config';
import {
  type OptionalService,
  optionalServices,
  type RequiredService,
  requiredServices,
  type ServiceName,
  services,
} from '@corner/contracts';
import { z } from 'zod';

type UrlSetting<Name extends ServiceName> = `${Uppercase<Name>}_URL`;

export function urlSetting<Name extends ServiceName>(name: Name): UrlSetting<Name> {
  return `${name.toUpperCase() as Uppercase<Name>}_URL`;
}

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
const splitList = (list: string): string[] => list.split(',').flatMap((entry) => entry.trim() || []);

/** The addresses of a service's replicas, separated by commas. A name stands for all addresses it resolves to. */
const origins = z
  .string()
  .transform((list, context) =>
    list.split(',').map((entry) => {
      const { data = '', error } = origin.safeParse(entry.trim());
      for (const { message } of error?.issues ?? []) context.addIssue(message);
      return data;
    }),
  )
  .refine((list) => new Set(list).size === list.length, 'names an address twice');

const canary = z.string().transform((text, context) => {
  const [service, urls = ''] = text.split(/=(.*)/s);
  const name = services.find((each) => each === service);
  const { data, error } = origins.safeParse(urls);
  if (!name) context.addIssue(`must name one of ${services.join(', ')} before "="`);
  for (const { message } of error?.issues ?? []) context.addIssue(message);
  return name && data ? { service: name, urls: data } : z.NEVER;
});

const optionalOrigins = origins.optional();
/** Without the address of an optional service the gateway has no routes to it. */
const serviceUrls = {
  ...(Object.fromEntries(requiredServices.map((name) => [urlSetting(name), origins])) as Record<
    UrlSetting<RequiredService>,
    typeof origins
  >),
  ...(Object.fromEntries(optionalServices.map((name) => [urlSetting(name), optionalOrigins])) as Record<
    UrlSetting<OptionalService>,
    typeof optionalOrigins
  >),
};

const settings = z.object({
  ...processSettings,
  ...authSettings,
  ...serviceUrls,
  /** Port of `/metrics`, separate because PORT is public. Without it, metrics are only pushed over OTLP. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** Milliseconds within which a service must begin its response to a complete request, and between two chunks of the response. */
  UPSTREAM_TIMEOUT_MS: z.coerce.number().int().min(10).max(300_000).default(15_000),
  MAX_BODY_BYTES: bytes.default(64 * 1024),
  WEBHOOK_MAX_BODY_BYTES: bytes.default(256 * 1024),
  RATE_LIMITS: z.enum(['enforced', 'off']).default('enforced'),
  /** Origins whose pages may call, separated by commas; `*` is refused in production. Default: none, but localhost in development. */
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform(splitList)
    .refine((list) => list.every(isOrigin), 'must be origins such as https://shop.example, separated by commas'),
  HEADERS_TIMEOUT_MS: milliseconds.default(10_000),
  REQUEST_TIMEOUT_MS: milliseconds.default(30_000),
  /** Milliseconds an idle connection is kept: longer than load balancers in front of the gateway keep theirs. */
  KEEP_ALIVE_TIMEOUT_MS: milliseconds.default(65_000),
  /** A database that all gateways share for the rate limits. Without it each process counts alone. The timeout is in milliseconds. */
  LIMITS_DATABASE_URL: databaseUrl.optional(),
  LIMITS_TIMEOUT_MS: milliseconds.default(300),
  /**
   * A new version of one service on trial, as `orders=http://orders-next:8080`, with its replicas separated by commas. It gets the requests
   * of CANARY_STORES (ids) and of CANARY_PERCENT of all stores, until it fails or is slow more often than the version of the others.
   */
  CANARY: canary.optional(),
  CANARY_PERCENT: z.coerce.number().min(0).max(100).default(0),
  CANARY_STORES: z
    .string()
    .default('')
    .transform(splitList)
    .pipe(z.array(z.uuid('must be ids of stores, separated by commas').toLowerCase())),
  /** Development only: the run.json that `corner start` writes, whose tokens /docs uses to try operations. */
  DOCS_TOKENS_FILE: z.string().min(1).optional(),
  TRUSTED_PROXIES: trustedProxies,
});

const gatewaySettings = settings
  .refine(({ NODE_ENV, CORS_ORIGINS }) => NODE_ENV !== 'production' || !CORS_ORIGINS.includes('*'), {
    path: ['CORS_ORIGINS'],
    error: 'must list its origins in production: * allows any page of the web',
  })
  .refine(({ NODE_ENV, DOCS_TOKENS_FILE }) => NODE_ENV !== 'production' || DOCS_TOKENS_FILE === undefined, {
    path: ['DOCS_TOKENS_FILE'],
    error: 'is for development: in production no tokens may be served',
  });

export type GatewayConfig = z.output<typeof gatewaySettings>;

export const readGatewayConfig = (env: Environment = process.env): GatewayConfig => readConfig(gatewaySettings, env);

/** Returns the new version on trial and its stores; undefined without one. */
export const canaryOf = ({ CANARY, CANARY_PERCENT, CANARY_STORES }: GatewayConfig) =>
  CANARY && { ...CANARY, percent: CANARY_PERCENT, stores: new Set(CANARY_STORES) };

/** Accepts an entry only as browsers send it in Origin: a scheme and a host, without a path. */
const isOrigin = (entry: string): boolean =>
  entry === '*' || (/^https?:\/\/[\w.:[\]-]+$/.test(entry) && URL.canParse(entry) && new URL(entry).origin === entry);

type Environment = Readonly<Record<string, string | undefined>>;
