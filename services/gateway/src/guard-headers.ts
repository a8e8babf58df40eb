import type { IncomingMessage } from 'node:http';
import type { Client } from './client-address.ts';

/** Headers by lower-case name, so that they replace what a service says under any spelling. */
type Guarding = Readonly<Record<string, string>>;

/**
 * Answers are data: nothing in them may run, be framed, be guessed at or be embedded elsewhere. Of what helmet sets, those
 * that mean something for data; a constant, as they are the same for every answer. The reference's pages say their own policy.
 */
export const guarding: Guarding = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const guardingOverTls: Guarding = { ...guarding, 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** The headers of an answer to this request: over TLS, as a balancer of ours says, browsers shall never come without it again. */
export const guardingFor = (request: IncomingMessage, client: Client): Guarding =>
  protocolOf(request, client) === 'https' ? guardingOverTls : guarding;

/** How the caller reached the edge. Only a balancer of ours is believed to have ended TLS. */
export function protocolOf({ headers }: IncomingMessage, { viaTrustedProxy }: Client): 'http' | 'https' {
  const said = viaTrustedProxy ? String(headers['x-forwarded-proto'] ?? '').split(',', 1)[0] : undefined;
  return said?.trim().toLowerCase() === 'https' ? 'https' : 'http';
}
