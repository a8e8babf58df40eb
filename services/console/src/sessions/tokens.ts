import { Problem } from '@corner/contracts';
import { z } from 'zod';
import type { ConsoleConfig } from '../config.ts';
import type { Confirmed, Granted, Provider } from '../openid/provider.ts';

export interface Tokens {
  grant(confirmed: Confirmed): Promise<Granted>;
  refresh(token: string): Promise<Granted | null>;
  revoke(token: string): Promise<void>;
}

export const createTokens = (config: ConsoleConfig, provider: Provider, newId: () => string): Tokens =>
  config.CONSOLE_TOKENS === 'exchange'
    ? exchangedTokens(config.GATEWAY_URL, newId)
    : { grant: async ({ granted }) => granted, refresh: provider.refresh, revoke: provider.revoke };

const timeoutMs = 10_000;
const Reply = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  subject: z.object({ name: z.string().nullable() }),
});
const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
const codeIn = (body: unknown): string | undefined => Refusal.safeParse(body).data?.error.code;

/** The tokens of the directory, by its public operations. Each may be sent again: a repeat after a lost reply has the same effect. */
function exchangedTokens(gatewayUrl: string, newId: () => string): Tokens {
  const send = async (path: string, body: object): Promise<{ readonly status: number; readonly body: unknown }> => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': newId() };
    const once = async () => {
      const init = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(timeoutMs) };
      const response = await fetch(`${gatewayUrl}/api/v1/directory/token${path}`, init);
      const { status } = response;
      if (status >= 500 || status === 429) throw new Error(`the gateway replied ${status}`);
      const reply = { status, body: (await response.json()) as unknown };
      if (codeIn(reply.body) === 'IDEMPOTENCY_IN_PROGRESS') throw new Error('the request that was sent before has no reply yet');
      return reply;
    };
    try {
      return await once().catch(once);
    } catch (cause) {
      throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'The platform does not respond.', retryAfterSeconds: 2, cause });
    }
  };
  return {
    async grant({ idToken, granted: { name } }) {
      const { status, body } = await send('', {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: idToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        typ: 'team',
      });
      if (status !== 200) throw refused(body);
      return { ...(name === undefined ? {} : { name }), ...grantedBy(body) };
    },
    async refresh(refresh_token) {
      const { status, body } = await send('/refresh', { refresh_token });
      return status === 200 ? grantedBy(body) : null;
    },
    revoke: async (refresh_token) => void (await send('/revoke', { refresh_token })),
  };
}

function grantedBy(body: unknown): Granted {
  const { access_token, refresh_token, subject } = Reply.parse(body);
  return { token: access_token, refresh: refresh_token, ...(subject.name === null ? {} : { name: subject.name }) };
}

const refused = (body: unknown): Problem =>
  new Problem('UNAUTHENTICATED', { message: Refusal.safeParse(body).data?.error.message ?? 'The platform refuses this sign-in.' });
