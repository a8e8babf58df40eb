import { createHmac } from 'node:crypto';
import type { Event, ThinEvent } from './stripe-shapes.ts';
import { named } from './travel.ts';
import { whole } from './whole.ts';

export interface WebhookEndpoint {
  readonly url: string;
  readonly secrets: readonly string[];
  readonly events?: readonly string[] | undefined;
}

const handled = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'account.updated',
  'capability.updated',
  'v2.core.account*',
  'payout.*',
];

export function wants({ events = handled }: WebhookEndpoint, { type }: Event | ThinEvent): boolean {
  return events.some((wanted) => named(type, wanted));
}

const mostMilliseconds = 10_000;

export async function postEvent(
  { url, secrets }: WebhookEndpoint,
  event: Event | ThinEvent,
  at: Date,
  stopped: AbortSignal,
): Promise<boolean> {
  const payload = JSON.stringify(whole(event));
  const ended = new AbortController();
  const end = () => ended.abort();
  const timer = setTimeout(end, mostMilliseconds);
  stopped.addEventListener('abort', end);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature(payload, secrets, at) },
      body: payload,
      redirect: 'manual',
      signal: ended.signal,
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    stopped.removeEventListener('abort', end);
  }
}

function signature(payload: string, secrets: readonly string[], at: Date): string {
  const time = Math.floor(at.getTime() / 1000);
  const signed = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')}`);
  return [`t=${time}`, ...signed].join(',');
}
