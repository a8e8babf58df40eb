import { createHmac, randomUUID } from 'node:crypto';
import { until } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import { processProviderEvent } from '../events/sagas.ts';
import { findDueProviderEvents } from '../events/tables.ts';
import { type Running, webhookSecrets } from './running.ts';

export const eventOf = (type: string, objectId: string, id = `evt_${randomUUID()}`) => ({
  id,
  object: 'event',
  type,
  data: { object: { id: objectId } },
});

interface Sending {
  /** The body and the signature header to send instead of the computed ones; null for no signature. */
  readonly sent?: string;
  readonly signature?: string | null;
  readonly secret?: string;
  readonly oldSeconds?: number;
}

export function sign(payload: string, secret: string, at: Date): string {
  const time = Math.floor(at.getTime() / 1000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')}`;
}

export async function publish(running: Running, event: ReturnType<typeof eventOf>, sending: Sending = {}) {
  const payload = JSON.stringify(event);
  const at = new Date(running.clock.now().getTime() - (sending.oldSeconds ?? 0) * 1000);
  const signature = sending.signature === undefined ? sign(payload, sending.secret ?? webhookSecrets[0], at) : sending.signature;
  const response = await fetch(`${running.service.url}/webhooks/stripe`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(signature === null ? {} : { 'Stripe-Signature': signature }) },
    body: sending.sent ?? payload,
  });
  const body = (await response.json()) as { error?: { code: string } };
  return [response.status, body.error?.code];
}

export const storedEventsOf = ({ service }: Running, ...ids: readonly string[]) =>
  service.database.any(sql.type(z.object({ id: z.string(), processed: z.boolean(), attempts: z.number() }))`
    select id, processed_at is not null as processed, attempts from provider_event where id = any(${sql.array([...ids], 'text')})`);

/**
 * Resolves when every stored event has been processed. Failed events are retried at once, on the service's own clock: the state that the
 * provider then returns is not newer than the clock.
 */
export const untilProcessed = ({ service: { context } }: Running) =>
  until(
    async () => {
      const due = new Date(context.now().getTime() + 600_000);
      for (const event of await findDueProviderEvents(context.database, due)) await processProviderEvent(context, event);
      return (await findDueProviderEvents(context.database, due)).length === 0;
    },
    { describe: 'every event to be processed' },
  );

export async function sendEventsAbout(running: Running, objectId: string, ...types: readonly string[]): Promise<void> {
  for (const { id, type, about } of running.payments.books().events)
    if (about === objectId && types.includes(type)) await publish(running, eventOf(type, about, id));
  await untilProcessed(running);
}
