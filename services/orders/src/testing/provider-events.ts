import { createHmac, randomUUID } from 'node:crypto';
import { until } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import { processProviderEvents } from '../jobs/process-provider-events.ts';
import { type Running, webhookSecrets } from './running.ts';

/** An event of the provider's, as it would be sent. */
export const eventOf = (type: string, objectId: string, id = `evt_${randomUUID()}`) => ({
  id,
  object: 'event',
  type,
  data: { object: { id: objectId } },
});

interface Sending {
  /** The bytes that are sent, when they are not those that were signed. */
  readonly sent?: string;
  /** The whole header, when it is not the true one; null leaves it out. */
  readonly signature?: string | null;
  readonly secret?: string;
  /** Seconds the signature is old. */
  readonly oldSeconds?: number;
}

/** The provider's signature over bytes, made at a time. */
export function sign(payload: string, secret: string, at: Date): string {
  const time = Math.floor(at.getTime() / 1000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')}`;
}

/** Posts an event to the webhook, signed. Answers the status and the problem's code, if it is one. */
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

/** Events that are kept, by the ids given, and how often each was worked at. */
export const keptOf = ({ service }: Running, ...ids: readonly string[]) =>
  service.database.any(sql.type(z.object({ id: z.string(), processed: z.boolean(), attempts: z.number() }))`
    select id, processed_at is not null as processed, attempts from provider_event where id = any(${sql.array([...ids], 'text')})`);

/** Resolves when every event that was kept has been worked through. What failed is tried again at once, whatever the time. */
export const worked = ({ service }: Running) =>
  until(
    async () => {
      await processProviderEvents({ ...service.context, now: () => new Date(service.context.now().getTime() + 600_000) });
      return (
        (await service.database.anyFirst(sql.type(z.object({ id: z.string() }))`select id from provider_event where processed_at is null`))
          .length === 0
      );
    },
    { describe: 'every event to be worked through' },
  );

/** Tells the events the provider has of some types about an object, then works them off. */
export async function tellAbout(running: Running, objectId: string, ...types: readonly string[]): Promise<void> {
  for (const { id, type, about } of running.payments.books().events)
    if (about === objectId && types.includes(type)) await publish(running, eventOf(type, about, id));
  await worked(running);
}
