import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import type { ServiceAccount } from '../config.ts';

const Granted = z.object({ access_token: z.string(), expires_in: z.number() });

const timeoutMs = 10_000;

const marginMs = 60_000;

export interface GoogleAccess {
  token(): Promise<string>;
  invalidate(token: string): void;
}

/**
 * Access to Google's services: a signed assertion is exchanged for a token (RFC 7523), which is cached until a minute before it expires.
 * Concurrent callers share one request; a failed one is not cached. `token` throws when the endpoint grants none; `invalidate` reports that
 * a service refused a token, so that the next call requests another.
 */
export function openGoogleAccess(account: ServiceAccount, scope: string, now: () => Date): GoogleAccess {
  let cached: { readonly token: Promise<string>; readonly until: number; readonly value?: string } | null = null;

  async function requestToken(): Promise<string> {
    const at = Math.floor(now().getTime() / 1000);
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: account.private_key_id })
      .setIssuer(account.client_email)
      .setAudience(account.token_uri)
      .setIssuedAt(at)
      .setExpirationTime(at + 3600)
      .sign(await importPKCS8(account.private_key, 'RS256'));
    const response = await fetch(account.token_uri, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw Object.assign(new Error('Google granted no access token'), { code: `token ${response.status}` });
    }
    const { access_token, expires_in } = Granted.parse(await response.json());
    if (cached) cached = { ...cached, until: now().getTime() + expires_in * 1000 - marginMs, value: access_token };
    return access_token;
  }

  return {
    async token() {
      if (!cached || cached.until <= now().getTime()) cached = { token: requestToken(), until: Number.POSITIVE_INFINITY };
      const current = cached;
      return await current.token.catch((error: unknown) => {
        if (cached === current) cached = null;
        throw error;
      });
    },
    invalidate(token) {
      if (cached?.value === token) cached = null;
    },
  };
}
