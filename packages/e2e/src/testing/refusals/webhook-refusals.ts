import { randomUUID } from 'node:crypto';
import { type RefusalRun, unknownId } from './refusal-run.ts';

export async function refuseWebhooks({ refused, done }: RefusalRun): Promise<void> {
  for (const url of ['http://example.com/hook', 'https://10.0.0.1/hook', 'https://me:secret@example.com/hook'])
    await refused('createWebhook', 'WEBHOOK_ADDRESS_REFUSED', { with: { url } });
  const { webhook } = (await done('createWebhook')) as unknown as { webhook: { id: string } };
  const of = { webhook_id: webhook.id };
  await refused('updateWebhook', 'WEBHOOK_ADDRESS_REFUSED', { with: { ...of, url: 'https://10.0.0.1/hook' } });
  await refused('repeatWebhookEvent', 'WEBHOOK_EVENT_NOT_FOUND', { with: { ...of, number: '7' } });
  await refused('readEventsDigest', 'EVENTS_NOT_KEPT', { with: { ...of, from: 1, to: 7 } });
  await done('endWebhook', { with: of });
  for (const name of ['testWebhook', 'challengeWebhook', 'repeatWebhookEvent']) await refused(name, 'WEBHOOK_ENDED', { with: of });
  await refused('listEvents', 'WEBHOOK_NOT_FOUND', { with: { webhook_id: unknownId } });
  const create = () => done('createWebhook', { headers: { 'idempotency-key': randomUUID() } });
  for (let created = 0; created < 10; created += 1) await create();
  await refused('createWebhook', 'TOO_MANY_WEBHOOKS');
  await refused('updateWebhook', 'TOO_MANY_WEBHOOKS', { with: of });
}
