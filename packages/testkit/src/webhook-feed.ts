import { notifications, publicEvents, WebhookPayload } from '@corner/contracts';

/** An event of an outbox. `at`: ISO 8601. */
interface OutboxRow {
  readonly event_id: string;
  readonly type: string;
  readonly at: string;
  readonly data: unknown;
}

/** Returns a store's events as its webhook receives them: numbered, with their public fields only. `rows` are in the order of publishing. */
export function webhookFeed(storeId: string, rows: readonly OutboxRow[]): WebhookPayload[] {
  const sent = rows.flatMap(({ event_id, type, at: timestamp, data }) => {
    const contract = publicEvents.find((event) => event.type === type);
    if (!contract) return [];
    const shared = { type, version: contract.version, timestamp, webhook_id: event_id, store_id: storeId, event_id, number: 1 };
    return [WebhookPayload.parse({ ...shared, data: contract.data.parse(data) })];
  });
  return sent.map((event, n) => ({ ...event, number: n + 1 }));
}

/** Returns a response of listEvents with the events, as JSON. */
export function feedPage(payloads: readonly WebhookPayload[]): string {
  const delivery = { state: 'delivered', attempts: 1, next_attempt_at: null, delivered_at: null, status: 200, detail: null } as const;
  const events = payloads.map((payload) => ({
    number: payload.number,
    id: `${payload.webhook_id}_${payload.number}`,
    type: payload.type,
    delivery,
    payload: JSON.stringify(payload),
  }));
  return JSON.stringify(notifications.listEvents.reply.parse({ events, first_number: 1, last_number: payloads.length }));
}
