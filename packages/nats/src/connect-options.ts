import { readFileSync } from 'node:fs';
import {
  type Authenticator,
  credsAuthenticator,
  type NodeConnectionOptions,
  nkeyAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { addressesOf, type NatsLogin } from './settings.ts';

/** Returns a fault in the combination of a login's settings, as a sentence that begins with a setting; null when there is none. */
export function loginFault(login: NatsLogin): string | null {
  const kinds = [
    ...(userOf(login) === undefined ? [] : ['NATS_USER']),
    ...(['NATS_NKEY_SEED_FILE', 'NATS_CREDENTIALS_FILE'] as const).filter((name) => login[name] !== undefined),
  ];
  if (kinds.length > 1) return `${kinds[0]}: only one kind of login can be used, and ${kinds.slice(1).join(' and ')} is set too: unset one`;
  if (login.NATS_PASSWORD !== undefined && login.NATS_PASSWORD_FILE !== undefined)
    return 'NATS_PASSWORD: NATS_PASSWORD_FILE is set too: unset one';
  const [certificate, key] = [login.NATS_CERTIFICATE_FILE, login.NATS_CERTIFICATE_KEY_FILE];
  if ((certificate === undefined) !== (key === undefined))
    return 'NATS_CERTIFICATE_FILE: needs NATS_CERTIFICATE_KEY_FILE, and the other way round: set both';
  return null;
}

/** Returns a connection's servers, login and TLS. Files are read again at each connection; an unreadable one counts as its last content. */
export function connectOptions(login: NatsLogin): NodeConnectionOptions {
  const tls = {
    ...(login.NATS_CA_FILE ? { caFile: login.NATS_CA_FILE } : {}),
    ...(login.NATS_CERTIFICATE_FILE ? { certFile: login.NATS_CERTIFICATE_FILE } : {}),
    ...(login.NATS_CERTIFICATE_KEY_FILE ? { keyFile: login.NATS_CERTIFICATE_KEY_FILE } : {}),
  };
  const addresses = addressesOf(login.NATS_URL).map((address) => new URL(address));
  const demandsTls = Object.keys(tls).length > 0 || addresses.some(({ protocol }) => protocol === 'tls:');
  const authenticator = authenticatorOf(login);
  return {
    servers: addresses.map(({ host }) => host),
    ...(authenticator ? { authenticator } : {}),
    ...(demandsTls ? { tls } : {}),
  };
}

function authenticatorOf(login: NatsLogin): Authenticator | null {
  if (login.NATS_CREDENTIALS_FILE) return credsAuthenticator(contentOf(login.NATS_CREDENTIALS_FILE));
  if (login.NATS_NKEY_SEED_FILE) {
    const content = contentOf(login.NATS_NKEY_SEED_FILE);
    return nkeyAuthenticator(() => new TextEncoder().encode(new TextDecoder().decode(content()).trim()));
  }
  const user = userOf(login);
  if (user === undefined) return null;
  if (!login.NATS_PASSWORD_FILE) return usernamePasswordAuthenticator(user, login.NATS_PASSWORD ?? passwordInUrl(login));
  const content = contentOf(login.NATS_PASSWORD_FILE);
  return usernamePasswordAuthenticator(user, () => new TextDecoder().decode(content()).trim());
}

export function userOf({ NATS_USER, NATS_URL }: Pick<NatsLogin, 'NATS_USER' | 'NATS_URL'>): string | undefined {
  return NATS_USER ?? withUser(NATS_URL)?.user;
}

const passwordInUrl = ({ NATS_URL }: NatsLogin): string => withUser(NATS_URL)?.password ?? '';

function withUser(list: string): { readonly user: string; readonly password: string } | undefined {
  const url = addressesOf(list)
    .map((address) => new URL(address))
    .find(({ username }) => username !== '');
  return url && { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
}

function contentOf(file: string): () => Uint8Array {
  let last: Uint8Array = readFileSync(file);
  return () => {
    try {
      last = readFileSync(file);
    } catch {
      // It is being replaced at this moment.
    }
    return last;
  };
}
