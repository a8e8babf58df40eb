import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import { patienceMs } from '../messages/adapters/channel.ts';

/** The file Google hands out for a service account, as far as it is needed. */
export const ServiceAccount = z.object({
  project_id: z.string(),
  private_key_id: z.string(),
  private_key: z.string(),
  client_email: z.string(),
  token_uri: z.url(),
});
export type ServiceAccount = z.output<typeof ServiceAccount>;

const Granted = z.object({ access_token: z.string(), expires_in: z.number() });

/** Milliseconds before its end from which a token is no longer used. */
const marginMs = 60_000;

export interface GoogleAccess {
  /** An access token that is good for a while yet. Throws when the token endpoint gives none. */
  token(): Promise<string>;
  /** Says that a token was refused, so that the next one is asked for anew. */
  forget(token: string): void;
}

/** Access to Google's services: a signed assertion is exchanged for a token (RFC 7523), which is kept until shortly before its end. */
export function openGoogleAccess(account: ServiceAccount, scope: string, now: () => Date): GoogleAccess {
  let held: { readonly token: Promise<string>; readonly until: number; readonly value?: string } | null = null;

  async function ask(): Promise<string> {
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
      signal: AbortSignal.timeout(patienceMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw Object.assign(new Error('no access token was granted'), { code: `token ${response.status}` });
    }
    const { access_token, expires_in } = Granted.parse(await response.json());
    if (held) held = { ...held, until: now().getTime() + expires_in * 1000 - marginMs, value: access_token };
    return access_token;
  }

  return {
    async token() {
      // Asked for once, however many wait for it; one that could not be had is asked for again.
      if (!held || held.until <= now().getTime()) held = { token: ask(), until: Number.POSITIVE_INFINITY };
      const mine = held;
      return await mine.token.catch((error: unknown) => {
        if (held === mine) held = null;
        throw error;
      });
    },
    forget(token) {
      if (held?.value === token) held = null;
    },
  };
}
