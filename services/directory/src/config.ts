import { createPrivateKey } from 'node:crypto';
import { json, notInProduction, readConfig, secret, serviceSettings } from '@corner/chassis/config';
import { z } from 'zod';

const SigningKey = z
  .object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string(), d: z.string(), kid: z.string().min(1).optional() })
  .refine(isPrivateKey, 'must be private keys of ES256, as JWK');

function isPrivateKey(jwk: { readonly d: string }): boolean {
  try {
    return createPrivateKey({ key: { ...jwk }, format: 'jwk' }).type === 'private';
  } catch {
    return false;
  }
}

const Provider = z.object({
  issuer: z.url('must be the issuer as its ID tokens name it, character by character'),
  client_ids: z.array(z.string().min(1)).min(1),
  jwks_url: z.url().optional(),
  typ: z.enum(['customer', 'team']).optional(),
  subject_is_id: z.boolean().default(false),
});
export type Provider = z.output<typeof Provider>;

const Operator = z.object({ issuer: z.string().min(1), subject: z.string().min(1), scope: z.string().min(1) });
export type Operator = z.output<typeof Operator>;

const isPlain = (address: string | undefined): boolean => address?.startsWith('http:') === true;

const settings = z
  .object({
    ...serviceSettings,
    /** The `iss` of access tokens; AUTH_ISSUER when absent. */
    TOKEN_ISSUER: z.string().min(1).optional(),
    /** Private keys of ES256 as JWK: one, a list or a JWK set. The first signs, all are published. Without it no token is issued here. */
    TOKEN_SIGNING_KEYS: secret(
      json.transform((value) => (Array.isArray(value) ? value : isSet(value) ? value.keys : [value])).pipe(z.array(SigningKey).min(1)),
    ).optional(),
    /**
     * Providers whose ID tokens sign people in: `[{"issuer":"https://…","client_ids":["…"]}]`. `jwks_url` names the keys; without it the
     * discovery document does. `typ` limits the clients to customers or to the team. With `subject_is_id`, allowed at one provider, the
     * subject is our id.
     */
    SIGN_IN_PROVIDERS: notInProduction(
      json.pipe(z.array(Provider)),
      (providers) => providers.some(({ issuer, jwks_url }) => isPlain(issuer) || isPlain(jwks_url)),
      'name providers by https addresses',
    ).default([]),
    /** The platform's operators: `[{"issuer":"https://…","subject":"…","scope":"operator:read operator:act"}]`. */
    OPERATORS: json.pipe(z.array(Operator)).default([]),
    /** Customers without a visit for this many years are erased automatically. Without the setting no one is. */
    RETENTION_YEARS: z.coerce.number().int().min(1).max(100).optional(),
  })
  .superRefine(({ SIGN_IN_PROVIDERS: providers, AUTH_AUDIENCE: audience }, context) => {
    const fault = (message: string) => context.addIssue({ code: 'custom', path: ['SIGN_IN_PROVIDERS'], message });
    if (providers.filter(({ subject_is_id }) => subject_is_id).length > 1) fault('has subject_is_id at several providers');
    // A provider that also issues access tokens for this audience could have those accepted as ID tokens.
    if (providers.some(({ client_ids }) => client_ids.includes(audience))) fault(`has the client id ${audience}, which is AUTH_AUDIENCE`);
    const clients = providers.flatMap(({ issuer, client_ids }) => client_ids.map((id) => `${id} of ${issuer}`));
    const twice = clients.find((client, index) => clients.indexOf(client) !== index);
    if (twice !== undefined) fault(`names the client ${twice} twice`);
  });

const isSet = (value: unknown): value is { readonly keys: unknown } => typeof value === 'object' && value !== null && 'keys' in value;

export type DirectoryConfig = z.output<typeof settings>;

/** Reads this service's settings. Throws one ConfigFault that names every missing or invalid setting. */
export const readDirectoryConfig = (env: Environment = process.env): DirectoryConfig => readConfig(settings, env);

type Environment = Readonly<Record<string, string | undefined>>;
