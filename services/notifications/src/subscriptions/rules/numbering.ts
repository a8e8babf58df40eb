import { webhookTest } from '@corner/contracts';

interface Waiting {
  readonly webhook_id: string | null;
  readonly store_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly version: number;
  readonly object: string;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Numbering {
  readonly id: string;
  readonly store_id: string;
  readonly types: readonly string[];
  readonly last_number: number;
  readonly has_address: boolean;
}

const takes = ({ id, store_id, types }: Numbering, event: Waiting): boolean =>
  event.type === webhookTest.type
    ? event.webhook_id === id
    : event.store_id === store_id && (types.length === 0 || types.includes(event.type));

/**
 * Numbers waiting events without gaps at each webhook that takes them; a test event goes to one webhook only. `has`: the webhook already
 * has the event.
 */
export function numberEvents(
  events: readonly Waiting[],
  webhooks: readonly Numbering[],
  has: (webhookId: string, eventId: string) => boolean,
) {
  return webhooks.flatMap((webhook) => {
    let number = webhook.last_number;
    return events
      .filter((event) => takes(webhook, event) && !has(webhook.id, event.event_id))
      .map((event) => {
        number += 1;
        const state = webhook.has_address ? ('pending' as const) : ('delivered' as const);
        const { event_id, object, type } = event;
        return { webhook_id: webhook.id, number, event_id, object, type, body: bodyOf(event, webhook.id, number), state };
      });
  });
}

const bodyOf = ({ type, version, at, store_id, event_id, data }: Waiting, webhookId: string, number: number): string =>
  JSON.stringify({ type, version, timestamp: at, number, webhook_id: webhookId, store_id, event_id, data });

/** The webhook-id of an event's requests. It has no full stop, which separates the signed parts. */
export const messageId = (webhookId: string, number: number): string => `${webhookId}_${number}`;
