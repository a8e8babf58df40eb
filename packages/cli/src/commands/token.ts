import { existsSync } from 'node:fs';
import { createIssuer, demoBearers, keyFileIn, type TokenRequest } from '@corner/sandbox';
import { Argument, Command, Option } from 'commander';
import { dataFolder, withDataFolder } from '../data-folder.ts';
import { Failure } from '../failure.ts';
import { findStoreId } from '../find-store.ts';
import { standardOutput } from '../output.ts';
import { parseTtl } from '../parse-ttl.ts';

const kinds = ['customer', 'merchant', 'staff', 'staff-session'] as const;

interface TokenOptions {
  readonly data: string;
  readonly sub?: string;
  readonly store: readonly string[];
  readonly role?: 'owner' | 'manager' | 'staff';
  readonly scope?: string;
  readonly ttl?: number;
  readonly json?: true;
}

/** `corner token`: an access token of the development issuer, which the services of this checkout accept. */
export const tokenCommand = withDataFolder(new Command('token'))
  .addArgument(new Argument('<kind>', 'whose token').choices(kinds))
  .description('Signs a development token. Without options: ana the customer, bo the merchant, cy the member of staff.')
  .option('--sub <uuid>', 'the bearer')
  .option('--store <code or uuid>', 'a store the bearer holds; may be repeated', collected, [])
  .addOption(new Option('--role <role>', 'the role in those stores').choices(['owner', 'manager', 'staff']))
  .option('--scope <scopes>', 'scopes, separated by spaces')
  .option('--ttl <time>', 'how long it is valid, for example 90s, 15m or 12h (default: 15m, a staff session 12h)', parseTtl)
  .option('--json', 'print it as JSON')
  .addHelpText(
    'after',
    `
Examples:
  ANA=$(npx corner token customer)
  npx corner token staff --store S1 --role manager --ttl 12h
  npx corner token staff-session --store S1        for the header X-Staff-Token

The key is in the data folder; deployments use an identity provider of their own (AUTH_ISSUER, AUTH_JWKS_URL).
`,
  )
  .action(async (kind: (typeof kinds)[number], options: TokenOptions) => {
    const token = await signToken(kind, options, process.env);
    const output = standardOutput();
    if (options.json) output.json({ token });
    else output.write(`${token}\n`);
  });

function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Signs a token of a kind. Throws a {@link Failure} for a store nobody knows, in production, and where there is no key yet. */
export async function signToken(kind: (typeof kinds)[number], options: TokenOptions, env: NodeJS.ProcessEnv): Promise<string> {
  if (env.NODE_ENV === 'production') {
    throw new Failure(
      'no token was signed',
      'the development issuer is refused with NODE_ENV=production',
      'ask your identity provider for a token',
    );
  }
  const dataDir = dataFolder(options);
  const keyFile = keyFileIn(dataDir);
  if (!existsSync(keyFile)) throw new Failure('no token was signed', `there is no signing key in ${dataDir} yet`, 'npm start');
  const issuer = await createIssuer({ keyFile, env });
  const usual: TokenRequest = kind === 'customer' ? demoBearers.ana : kind === 'merchant' ? demoBearers.bo : demoBearers.cy;
  // Whoever names a bearer means another person than the usual one.
  const { name: _, ...nameless } = usual;
  const request: TokenRequest = {
    ...(options.sub ? { ...nameless, sub: options.sub } : usual),
    ...(options.store.length > 0 ? { stores: options.store.map((store) => findStoreId(store, dataDir, 'no token was signed')) } : {}),
    ...(options.role ? { role: options.role } : {}),
    ...(options.scope === undefined ? {} : { scope: options.scope }),
    ...(options.ttl === undefined ? {} : { ttlSeconds: options.ttl }),
  };
  if (kind !== 'staff-session') return await issuer.token(request);
  const { sub, stores: held = [], role, ttlSeconds, name } = request;
  return await issuer.staffSessionToken({
    sub,
    stores: held,
    ...(role ? { role } : {}),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    ...(name === undefined ? {} : { name }),
  });
}
