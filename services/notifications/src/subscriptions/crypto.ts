import { createHmac } from 'node:crypto';

const prefix = 'whsec_';

/** Returns a webhook's secret for its receiver. Each generation has another one; none is stored. */
export const webhookSecret = (key: string, webhookId: string, generation: number): string =>
  prefix + createHmac('sha256', key).update(`webhook ${webhookId} ${generation}`).digest('base64');

/**
 * `id` is the same at each attempt, so that a receiver can recognise a repeat, and contains no full stop; `at` is the instant of this
 * attempt: a receiver refuses an old one. While a secret is being replaced, both sign, and a receiver accepts either.
 */
export interface SignedRequest {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** Signs by the specification of Standard Webhooks. */
export function signWebhook({
  id,
  at,
  body,
  secrets,
}: SignedRequest): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  };
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': secrets.map(sign).join(' ') };
}
