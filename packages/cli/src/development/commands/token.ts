import { existsSync } from 'node:fs';
import { demoBearers } from '@corner/sandbox/demo';
import { createIssuer, type TokenRequest } from '@corner/sandbox/issuer';
import { keyFileIn } from '@corner/sandbox/system';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { dataFolder, parseDuration, withDataFolder } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { standardOutput } from '../../screen/output.ts';
import { findStoreId, namedInDirectory } from '../system/find-running.ts';

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

export const tokenCommand = withDataFolder(new Command('token'))
  .addArgument(new Argument('<kind>', 'the kind of token').choices(kinds))
  .description('Signs a development token. Without options it is for Ana (customer), Bo (merchant) or Cy (staff) of the demo.')
  .option('--sub <uuid>', 'the id of the bearer', parseId)
  .option('--store <code or uuid>', 'a store that the token authorises; may be repeated', appendStore, [])
  .addOption(new Option('--role <role>', 'the bearer’s role in those stores').choices(['owner', 'manager', 'staff']))
  .option('--scope <scopes>', 'scopes, separated by spaces')
  .option('--ttl <time>', 'how long it is valid, for example 90s, 15m or 12h (default: 15m; for a staff session 12h)', parseDuration)
  .option('--json', 'print it as JSON')
  .addHelpText(
    'after',
    `
Examples:
  ANA=$(npx corner token customer)
  npx corner token staff --store S1 --role manager --ttl 12h
  npx corner token staff-session --store S1        for the header X-Staff-Token

The signing key is in the data folder. Deployments use their own identity provider (AUTH_ISSUER, AUTH_JWKS_URL).
`,
  )
  .action(async (kind: (typeof kinds)[number], options: TokenOptions) => {
    const store = await namedInDirectory(options.store, dataFolder(options));
    const token = await signToken(kind, { ...options, store }, process.env);
    const output = standardOutput();
    if (options.json) output.json({ token });
    else output.write(`${token}\n`);
  });

function parseId(text: string): string {
  if (!z.guid().safeParse(text).success) throw new InvalidArgumentError('An id is a UUID.');
  return text;
}

function appendStore(store: string, stores: readonly string[]): readonly string[] {
  return [...stores, store];
}

/** Throws a {@link Failure} in production, for an unknown store, and when there is no signing key yet. */
export async function signToken(kind: (typeof kinds)[number], options: TokenOptions, env: NodeJS.ProcessEnv): Promise<string> {
  if (env.NODE_ENV === 'production') {
    throw new Failure(
      'no token was signed',
      'development tokens are not signed with NODE_ENV=production',
      'ask your identity provider for a token',
    );
  }
  const dataDir = dataFolder(options);
  const keyFile = keyFileIn(dataDir);
  if (!existsSync(keyFile)) throw new Failure('no token was signed', `there is no signing key in ${dataDir} yet`, 'npm start');
  const issuer = await createIssuer({ keyFile, env });
  const demoBearer: TokenRequest = kind === 'customer' ? demoBearers.ana : kind === 'merchant' ? demoBearers.bo : demoBearers.cy;
  const { name: _, ...withoutName } = demoBearer;
  const request: TokenRequest = {
    ...(options.sub ? { ...withoutName, sub: options.sub } : demoBearer),
    ...(options.store.length > 0 ? { stores: options.store.map((store) => findStoreId(store, dataDir, 'no token was signed')) } : {}),
    ...(options.role ? { role: options.role } : {}),
    ...(options.scope === undefined ? {} : { scope: options.scope }),
    ...(options.ttl === undefined ? {} : { ttlSeconds: options.ttl }),
  };
  if (kind !== 'staff-session') return await issuer.token(request);
  const { sub, stores = [], role, ttlSeconds, name } = request;
  return await issuer.staffSessionToken({
    sub,
    stores,
    ...(role ? { role } : {}),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    ...(name === undefined ? {} : { name }),
  });
}
