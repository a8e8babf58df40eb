import type { Reply } from './send-reply.ts';

export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

export const refusal = (code: number, status: string, message: string, ...details: readonly object[]): Exclude<Reply, 'lost'> => ({
  status: code,
  body: { error: { code, message, status, ...(details.length > 0 ? { details } : {}) } },
});

export function refusalOfToken(worth: 'good' | 'unauthenticated' | 'too_narrow'): Reply | null {
  if (worth === 'unauthenticated')
    return refusal(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials. Expected OAuth 2 access token.');
  return worth === 'too_narrow' ? refusal(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.') : null;
}

export const badRequest = (wrong: FieldViolation) => ({ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [wrong] });

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
