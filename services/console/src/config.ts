import { authSettings, linkedAddress, notInProduction, processSettings, readConfig, secret, trustedProxies } from '@corner/chassis/config';
import { outsideAddress, servicesWithout } from '@corner/contracts';
import { loginFault, natsSettings } from '@corner/nats';
import { z } from 'zod';

export const httpUrl = () => z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address', abort: true });
export const origin = httpUrl()
  .refine((url) => new URL(url).pathname === '/' && new URL(url).search === '', 'must be an address without a path')
  .transform((url) => new URL(url).origin);
/** Where browsers reach pages: https, or http on localhost, where they also accept a Secure cookie and a service worker. */
export const pagesOrigin = origin.refine(
  (url) => url.startsWith('https:') || isLocal(new URL(url).hostname),
  'must be https, which browsers demand for what the pages use; http only on localhost',
);
function isLocal(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}
export const isWithoutTls = (url: string): boolean => /^http:/i.test(url);
export const openIdScope = z.string().regex(/(^| )openid( |$)/, 'must include openid');
const splitList = (list: string): string[] => list.split(',').flatMap((entry) => entry.trim() || []);
export const gatewayTimeout = z.coerce.number().int().min(10).max(600_000).default(20_000);

const sessionKey = (text: string): Uint8Array | null => {
  const bytes = /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null;
  return bytes?.length === 32 ? bytes : null;
};

const settings = z.object({
  ...processSettings,
  ...authSettings,
  ...natsSettings,
  NATS_PASSWORD: notInProduction(natsSettings.NATS_PASSWORD, (password) => password === 'corner', 'give the user a password of its own'),
  CONSOLE_URL: pagesOrigin,
  GATEWAY_URL: origin,
  SHOP_URL: linkedAddress('set the https:// address of the shop that customers reach'),
  /**
   * The OpenID provider's address, or that of its discovery document; AUTH_ISSUER when absent. Without CONSOLE_CLIENT_SECRET the console is
   * a public client, which proves itself by PKCE alone.
   */
  CONSOLE_ISSUER: notInProduction(httpUrl(), isWithoutTls, 'name an https address').optional(),
  CONSOLE_CLIENT_ID: z.string().min(1),
  CONSOLE_CLIENT_SECRET: secret(z.string().min(1)).optional(),
  CONSOLE_SCOPE: openIdScope.default('openid profile'),
  /**
   * Whose tokens sessions hold. `provider`: those of the provider, with this platform's claims; `exchange`: those that the directory issues
   * for the provider's ID token.
   */
  CONSOLE_TOKENS: z.enum(['provider', 'exchange']).default('provider'),
  /** Keys of 32 bytes as base64, separated by commas. The first encrypts sessions, all decrypt them. */
  CONSOLE_SESSION_KEYS: secret(
    notInProduction(
      z.string().transform((list, context) => {
        const keys = splitList(list).map(sessionKey);
        if (keys.length > 0 && keys.every((key) => key !== null)) return keys;
        context.addIssue('must be keys of 32 bytes as base64, separated by commas: openssl rand -base64 32');
        return z.NEVER;
      }),
      (keys) => keys.some((key) => Buffer.from(key).toString() === publishedKey),
      'make keys of your own: openssl rand -base64 32',
    ),
  ),
  GATEWAY_TIMEOUT_MS: gatewayTimeout,
  RPC_DEADLINE_FACTOR: z.coerce.number().min(1).max(100).default(1),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  CONSOLE_PAGES: z.string().min(1).optional(),
  CONSOLE_HEALTH: z.string().default('').transform(healthAddresses),
  /** Optional services that do not run, separated by commas: an upstream publishes instead of `directory`. */
  SERVICES_LEFT_OUT: z
    .string()
    .default('')
    .transform((list, context) => {
      try {
        return servicesWithout(list);
      } catch (error) {
        context.addIssue((error as Error).message);
        return z.NEVER;
      }
    }),
  TRUSTED_PROXIES: trustedProxies,
  TRACE_URL: outsideAddress.optional(),
  LOG_URL: outsideAddress.optional(),
});

const publishedKey = 'corner-development-console-keys!';

export const consoleSettings = settings.superRefine((config, context) => {
  const fault = loginFault(config);
  const [name = '', message = ''] = fault?.split(/: (.*)/s) ?? [];
  if (fault) context.addIssue({ code: 'custom', path: [name], message });
  if (config.CONSOLE_ISSUER === undefined && !URL.canParse(config.AUTH_ISSUER))
    context.addIssue({ code: 'custom', path: ['CONSOLE_ISSUER'], message: 'is required where AUTH_ISSUER is no address' });
  if (config.CONSOLE_TOKENS === 'exchange' && !config.SERVICES_LEFT_OUT.includes('directory'))
    context.addIssue({ code: 'custom', path: ['CONSOLE_TOKENS'], message: 'is provider where the service directory is left out' });
  // CONSOLE_ISSUER has the same guard; AUTH_ISSUER is its default.
  if (config.CONSOLE_ISSUER === undefined && isWithoutTls(config.AUTH_ISSUER) && config.NODE_ENV === 'production' && !config.TRIAL)
    context.addIssue({
      code: 'custom',
      path: ['AUTH_ISSUER'],
      message: 'signs people in without TLS: name an https address in CONSOLE_ISSUER',
    });
});

export type ConsoleConfig = z.output<typeof consoleSettings>;

/** Throws one error that names every missing or wrong setting. */
export const readConsoleConfig = (env: Environment = process.env): ConsoleConfig => readConfig(consoleSettings, env);

function healthAddresses(list: string, context: z.RefinementCtx): ReadonlyMap<string, string> {
  const entries = splitList(list).map((entry): [string, string] => {
    const at = entry.indexOf('=');
    const { data, success } = origin.safeParse(entry.slice(at + 1));
    if (at < 1 || !success) context.addIssue('must be name=http://host:port, separated by commas');
    return [entry.slice(0, at), data ?? ''];
  });
  return new Map(entries);
}

type Environment = Readonly<Record<string, string | undefined>>;
