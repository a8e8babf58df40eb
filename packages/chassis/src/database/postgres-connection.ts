import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext } from 'node:tls';

export interface PostgresConnection {
  readonly connectionString: string;
  readonly ssl: false | ConnectionOptions;
}

/** The TLS parameters in an address of Postgres are wrong. The message quotes names and paths, and no other value. */
export class AddressFault extends Error {
  override readonly name = 'AddressFault';
}

const parameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
type Parameter = (typeof parameters)[number];
type Given = Readonly<Partial<Record<Parameter, string>>>;

/**
 * Reads the TLS parameters of an address as libpq does, with the files they name. The drivers read them differently, so they get addresses
 * without these parameters. Throws an {@link AddressFault}.
 */
export function postgresConnection(address: string): PostgresConnection {
  const url = new URL(address);
  const named = [...url.searchParams.keys()].filter((name) => name.startsWith('ssl'));
  if (named.length === 0) return { connectionString: address, ssl: false };
  const unknown = named.find((name) => !(parameters as readonly string[]).includes(name));
  if (unknown !== undefined) throw new AddressFault(`${unknown} is not supported: TLS is set by ${parameters.join(', ')}`);
  const given: Given = Object.fromEntries(
    parameters.flatMap((name) => (url.searchParams.get(name) ? [[name, url.searchParams.get(name)]] : [])),
  );
  for (const name of named) url.searchParams.delete(name);
  return { connectionString: url.href, ssl: tlsOf(given) };
}

function tlsOf(given: Given): false | ConnectionOptions {
  const { sslmode: mode, sslrootcert: authority } = given;
  if (mode === undefined) throw new AddressFault('sslmode is missing beside the files of TLS: add sslmode=verify-full');
  if (mode === 'disable') return false;
  if (mode === 'allow' || mode === 'prefer')
    throw new AddressFault(`sslmode=${mode} would connect without TLS where the server has none: use require, verify-ca or verify-full`);
  if (mode !== 'require' && mode !== 'verify-ca' && mode !== 'verify-full')
    throw new AddressFault('sslmode must be disable, require, verify-ca or verify-full');
  if (mode === 'verify-ca' && authority === undefined)
    throw new AddressFault('sslmode=verify-ca needs sslrootcert, the file of the authority that signed the server’s certificate');
  if (mode !== 'verify-full' && authority === 'system')
    throw new AddressFault('sslrootcert=system needs sslmode=verify-full: anyone can have a certificate of a public authority');
  const ca = authority === undefined || authority === 'system' ? {} : { ca: certificateIn('sslrootcert', authority) };
  return {
    ...ca,
    ...clientCertificate(given),
    // As in libpq, `require` verifies the authority when one is given.
    rejectUnauthorized: mode !== 'require' || authority !== undefined,
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}

function clientCertificate({ sslcert, sslkey }: Given): ConnectionOptions {
  if (sslcert === undefined && sslkey === undefined) return {};
  if (sslcert === undefined || sslkey === undefined) throw new AddressFault('sslcert needs sslkey, and the other way round');
  const pair = { cert: certificateIn('sslcert', sslcert), key: contentOf('sslkey', sslkey) };
  try {
    createSecureContext(pair);
  } catch {
    throw new AddressFault(`sslkey names ${sslkey}, which is not the key of sslcert, as PEM and without a passphrase`);
  }
  return pair;
}

function certificateIn(name: Parameter, path: string): string {
  const content = contentOf(name, path);
  try {
    new X509Certificate(content);
  } catch {
    throw new AddressFault(`${name} names ${path}, which holds no certificate as PEM`);
  }
  return content;
}

function contentOf(name: Parameter, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AddressFault(`${name} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
