import { createHash } from 'node:crypto';
import type { TokenRequest } from '../tokens.ts';
import { OAuthError } from './oauth-error.ts';

export interface Person {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly email?: string;
  readonly bearer: TokenRequest;
}

export interface OpenIdClient {
  readonly id: string;
  readonly redirectUris: readonly string[];
  readonly afterSignOut: readonly string[];
}

/** Derives the id from the address, so that the same person returns. Throws invalid_request. */
export function newcomer(name: string, address: string): Person {
  const email = address.trim().toLowerCase();
  if (name.trim() === '' || !/^\S+@\S+$/.test(email))
    throw new OAuthError('invalid_request', 'someone new has a name and an e-mail address');
  const about = `Someone new: ${email}`;
  const [sub, given] = [idOf(email), name.trim()];
  return { key: sub, name: given, about, email, bearer: { typ: 'merchant', sub, name: given } };
}

function idOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
