import { isIP } from 'node:net';
import { natsSettings } from '@corner/nats';
import { z } from 'zod';
import { AddressFault, postgresConnection } from './database/postgres-connection.ts';
import { hasPublishedPassword, notInProduction, productionFaults } from './production-guard.ts';
import { secret, withSecretFiles } from './secret-files.ts';

export { notInProduction, secret };

export const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue('must be JSON');
    return z.NEVER;
  }
});

/** One or more settings are wrong. The message names each of them and never quotes a value, since some are secrets. */
export class ConfigFault extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigFault';
    this.faults = faults;
  }
}

/**
 * Parses environment variables by a schema; an empty one counts as absent. Throws one {@link ConfigFault} that names every fault, and every
 * development value in a production without TRIAL.
 */
export function readConfig<S extends z.ZodType>(schema: S, env: Readonly<Record<string, string | undefined>>): z.output<S> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const { values, faults: fileFaults } = withSecretFiles(shape, present);
  const result = schema.safeParse(values);
  const refused = productionFaults(shape, values);
  if (result.success && refused.length === 0 && fileFaults.size === 0) return result.data;
  const faults = (result.error?.issues ?? [])
    .filter((issue) => !fileFaults.has(String(issue.path[0])))
    .map((issue) => `${issue.path.join('.')}: ${values[String(issue.path[0])] === undefined ? 'is required' : issue.message}`);
  throw new ConfigFault([...fileFaults.values(), ...faults, ...refused]);
}

function parseResourceAttributes(text: string, context: z.RefinementCtx): Readonly<Record<string, string>> {
  try {
    const entries = text.split(',').filter((entry) => entry.trim() !== '');
    return Object.fromEntries(
      entries.map((entry) => {
        const [, key = '', value = ''] = /^\s*([^=\s]+)\s*=(.*)$/.exec(entry) ?? [];
        if (key === '') throw new Error('no key');
        return [key, decodeURIComponent(value.trim())];
      }),
    );
  } catch {
    context.addIssue('must be key=value, separated by commas, with values in percent-encoding');
    return z.NEVER;
  }
}

const port = z.coerce.number().int().min(0).max(65_535);
const seconds = z.coerce.number().min(0).max(3600);

export const processSettings = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  /** `1` lets a production process start with development's secrets, issuer and simulators: for a trial, never for customers. */
  TRIAL: z.literal('1').optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(0),
  /** File descriptor of a listening socket that the process inherits, as from systemd: replaces HOST and PORT. */
  PORT_FD: z.coerce.number().int().min(3).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /**
   * Base address of an OTLP/HTTP collector, without which no span leaves the process and metrics are only served. The setting for logs is a
   * full address; without it lines are on standard output only.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: z.url().optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().default('').transform(parseResourceAttributes),
  OTEL_METRIC_EXPORT_INTERVAL: z.coerce.number().int().min(100).max(3_600_000).default(15_000),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  MAX_STREAMS: z.coerce.number().int().min(10).max(100_000).default(6_000),
  /** Time between reporting "not ready" and refusing connections, so that a load balancer can stop sending requests. */
  DRAIN_SECONDS: seconds.default(0),
};

/** Load balancers whose X-Forwarded-* headers are trusted: addresses or ranges, separated by commas. None by default. */
export const trustedProxies = z
  .string()
  .default('')
  .transform((list) => list.split(',').flatMap((entry) => entry.trim() || []))
  .refine((list) => list.every(isRange), 'must be addresses or ranges such as 10.0.0.0/8, separated by commas');

function isRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Accepts an http(s) address, and cuts slashes at its end. */
export const httpAddress = () =>
  z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address', abort: true }).transform((url) => url.replace(/\/+$/, ''));

/** Accepts an address for links that people follow; production requires https. `advice` says how to correct it. */
export const linkedAddress = (advice: string) =>
  notInProduction(httpAddress(), (url) => new URL(url).protocol !== 'https:', advice).optional();

export const authSettings = {
  AUTH_ISSUER: notInProduction(
    z.string().min(1),
    (issuer) => issuer === 'corner-development',
    'set the `iss` of your identity provider: anyone can have a token of the development issuer',
  ),
  AUTH_JWKS_URL: notInProduction(
    z.url({ abort: true }),
    (url) => new URL(url).hostname === 'issuer',
    'set the address of the signing keys of your identity provider',
  ),
  AUTH_AUDIENCE: z.string().default('api'),
  /** The claim that holds the caller's id, a UUID: not `sub` where the identity provider writes its own id there. */
  AUTH_SUBJECT_CLAIM: z.string().min(1).default('sub'),
};

export const databaseUrl = secret(
  notInProduction(
    z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address', abort: true }).superRefine((address, context) => {
      try {
        postgresConnection(address);
      } catch (error) {
        context.addIssue(error instanceof AddressFault ? error.message : 'must be a postgres:// address');
      }
    }),
    hasPublishedPassword,
    'give the role a password of its own',
  ),
);

export const migrationSettings = { MIGRATION_DATABASE_URL: databaseUrl, DATABASE_URL: databaseUrl };

export const serviceSettings = {
  ...processSettings,
  ...authSettings,
  DATABASE_URL: databaseUrl,
  /**
   * Few, because slonik uses all in turn: each has a server process with its own plans, and those of a few stay in the processor's cache.
   */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(100).default(5),
  /**
   * The first limits how long Postgres takes to accept a connection: a waiting request is then refused, and may be repeated. The second
   * limits a response; it is a little more than the 10 s after which Postgres itself ends a statement.
   */
  DATABASE_CONNECT_MS: z.coerce.number().int().min(100).max(120_000).default(5_000),
  DATABASE_RESPONSE_MS: z.coerce.number().int().min(1_000).max(120_000).default(12_000),
  ...natsSettings,
  /**
   * `1` runs a shadow on an empty database of its own. It processes the events that its producers keep, sends nothing, compares what it
   * would have published with the events of the service that runs, and exits with 0 when nothing differs.
   */
  SHADOW: z.literal('1').optional(),
  /** `1` runs a replica for requests alone: it processes no event, serves no RPC, and starts no job by time. */
  REQUESTS_ONLY: z.literal('1').optional(),
  RPC_DEADLINE_FACTOR: z.coerce.number().min(1).max(100).default(1),
  NATS_PASSWORD: notInProduction(natsSettings.NATS_PASSWORD, (password) => password === 'corner', 'give the user a password of its own'),
  IDEMPOTENCY_KEY: z.enum(['optional', 'required']).default('optional'),
  CRASH_AT: z.string().optional(),
};

export type ServiceConfig = z.output<z.ZodObject<typeof serviceSettings>>;
export type ProcessConfig = z.output<z.ZodObject<typeof processSettings>>;
