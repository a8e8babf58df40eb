import { createHash } from 'node:crypto';
import { createSigningKeys, keysProblem } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Provider } from '../config.ts';
import { type Identity, type IdTokenClaims, identityOf, idTokenFault, type Kind } from './rules.ts';

/**
 * An ID token that was verified. `hash`: of the signed part, so that another spelling of the signature is the same token. `subjectIsId`:
 * the subject is our id of the person.
 */
export interface VerifiedIdToken extends Identity {
  readonly hash: Buffer;
  readonly subjectIsId: boolean;
}

/**
 * Verifies an ID token of one of the providers, for one of their clients that sign people of the kind in. Throws ID_TOKEN_INVALID, or
 * UPSTREAM_UNAVAILABLE while the provider's keys cannot be fetched.
 */
export type VerifyIdToken = (token: string, kind: Kind, now: Date) => Promise<VerifiedIdToken>;

const clockToleranceSeconds = 30;
const maxAgeSeconds = 600;
const algorithms = ['ES256', 'EdDSA', 'RS256'];

export function createVerifyIdToken(providers: readonly Provider[]): VerifyIdToken {
  // The keys belong to the issuer, whatever the number of its entries.
  const keys = new Map(providers.map((provider) => [provider.issuer, createSigningKeys(provider.jwks_url ?? (() => findKeys(provider)))]));
  return async (token, kind, now) => {
    const { issuer, header } = read(token);
    const ours = providers.filter((provider) => provider.issuer === issuer);
    const resolver = keys.get(issuer);
    if (!resolver || ours.length === 0) throw invalid('Its issuer is not one that signs people in here.');
    const claims = await verified(token, resolver, issuer, now);
    const fault = idTokenFault(header, claims, ours, kind);
    if (fault) throw invalid(fault);
    const provider = ours.find(({ client_ids }) => client_ids.some((id) => [claims.aud].flat().includes(id)));
    const hash = createHash('sha256')
      .update(token.slice(0, token.lastIndexOf('.')))
      .digest();
    const identity = identityOf(claims);
    const subjectIsId = provider?.subject_is_id === true;
    // Two spellings of a UUID are one person.
    return { ...identity, subject: subjectIsId ? identity.subject.toLowerCase() : identity.subject, hash, subjectIsId };
  };
}

function read(token: string): { readonly issuer: string; readonly header: { readonly typ?: string | undefined } } {
  try {
    return { issuer: decodeJwt(token).iss ?? '', header: decodeProtectedHeader(token) };
  } catch {
    throw invalid('It is no JWT.');
  }
}

async function verified(token: string, keys: JWTVerifyGetKey, issuer: string, now: Date): Promise<IdTokenClaims> {
  const options = {
    issuer,
    algorithms,
    clockTolerance: clockToleranceSeconds,
    currentDate: now,
    maxTokenAge: maxAgeSeconds,
    requiredClaims: ['sub', 'aud', 'exp', 'iat'],
  };
  const { payload } = await jwtVerify(token, keys, options).catch((error: unknown) => {
    throw keysProblem(error) ?? invalid(sayWhy(error));
  });
  return payload as JWTPayload & IdTokenClaims;
}

/** Returns a sentence for the caller, without a value of the token. */
function sayWhy(error: unknown): string {
  if (error instanceof errors.JWTExpired) return error.claim === 'iat' ? 'It is more than ten minutes old.' : 'It has expired.';
  if (error instanceof errors.JWTClaimValidationFailed) return `Its claim ${error.claim} is missing or wrong.`;
  if (error instanceof errors.JOSEAlgNotAllowed) return `It is signed by another algorithm than ${algorithms.join(', ')}.`;
  return 'Its signature is not one of its issuer’s.';
}

const invalid = (why: string): Problem => new Problem('ID_TOKEN_INVALID', { message: `The ID token is not accepted. ${why}` });

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });
const timeoutMs = 3_000;

/**
 * Reads the address of a provider's keys in its discovery document. Rejects when that names another issuer, or an http address for an https
 * one.
 */
async function findKeys({ issuer }: Provider): Promise<string> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) throw new Error(`the discovery document of ${issuer} came with status ${response.status}`);
  const found = Discovery.parse(await response.json());
  if (found.issuer !== issuer) throw new Error(`the discovery document of ${issuer} names the issuer ${found.issuer}`);
  if (issuer.startsWith('https:') && !found.jwks_uri.startsWith('https:')) throw new Error(`the keys of ${issuer} are at a plain address`);
  return found.jwks_uri;
}
