import { type InboxMessage, InboxMessages, inboxAddress, lineOfMessage } from '../inbox-messages.ts';
import { callCorner } from './call-corner.ts';
import { httpCall } from './http-call.ts';
import type { Stage } from './stage.ts';
import { type Taken, take } from './take-step.ts';

/** Milliseconds a message may take: sent at once, or some seconds later where what is newer may take its place. */
const messageMs = 20_000;

/** A message the customer must get: the title it has. */
export interface Expected {
  readonly channel: InboxMessage['channel'];
  readonly title: string;
}

/** The messages about an order, those of each channel in the order they must arrive. */
export const messagesAbout = (orderNumber: string) =>
  ({
    receipt: { channel: 'email', title: `Receipt for order ${orderNumber}` },
    accepted: { channel: 'push', title: `Order ${orderNumber} is accepted` },
    ready: { channel: 'push', title: `Order ${orderNumber} is ready` },
    refund: { channel: 'email', title: `Refund for order ${orderNumber}` },
    stampTaken: { channel: 'push', title: 'A stamp was taken back' },
  }) as const satisfies Record<string, Expected>;

/** Looks at the customer's inbox. Answers the number of its newest message, 0 when it is empty. */
export async function lookAtInbox(stage: Stage & { readonly messages: string }, deed: string): Promise<Taken<number>> {
  const url = inboxAddress(stage.messages, { to: stage.addresses });
  const look = () => httpCall(stage.traceId, { method: 'GET', url }, InboxMessages);
  const looked = await take(stage.traceId, deed, look, (all) => ({ ok: true, answer: `${all.length} messages so far` }));
  return { ...looked, value: looked.value && (looked.value.at(-1)?.n ?? 0) };
}

/**
 * Waits until the customer has got every expected message since number `after`. They must come once each, and those of a
 * channel in the given order; messages about something else are let be. `showAll` shows below the step all there are.
 */
export async function awaitMessages(
  stage: Stage & { readonly messages: string },
  deed: string,
  after: number,
  expected: readonly Expected[],
  showAll = false,
): Promise<Taken<readonly InboxMessage[]>> {
  const url = inboxAddress(stage.messages, { to: stage.addresses, after });
  return await take(
    stage.traceId,
    deed,
    () => httpCall(stage.traceId, { method: 'GET', url }, InboxMessages),
    (all) => {
      const fault = faultIn(all, expected);
      const newest = all.at(-1);
      const answer = fault ?? (showAll ? `${all.length} messages, each once and in order` : `${newest?.channel}: ${newest?.title}`);
      return { ok: fault === null, answer, ...(showAll ? { lines: all.map(lineOfMessage) } : {}) };
    },
    messageMs,
  );
}

/** What is not as it must be, in words; null when all is. */
export function faultIn(all: readonly InboxMessage[], expected: readonly Expected[]): string | null {
  for (const channel of new Set(expected.map((one) => one.channel))) {
    const must = expected.filter((one) => one.channel === channel).map(({ title }) => title);
    const came = all.filter((one) => one.channel === channel && must.includes(one.title)).map(({ title }) => title);
    const missing = must.find((title) => !came.includes(title));
    if (missing) return `no ${channel} “${missing}”`;
    const twice = came.find((title, index) => came.indexOf(title) !== index);
    if (twice) return `${channel} “${twice}” came more than once`;
    if (came.some((title, index) => title !== must[index])) return `${channel} out of order: ${came.join(', ')}`;
  }
  return null;
}

/** Whether the customer wants to hear of stamps at this store: on until switched off. */
export async function hearsOfStamps(stage: Stage): Promise<boolean> {
  const called = await callCorner(stage, stage.tokens.customer, (corner) => corner.GET('/api/v1/notifications/preferences'));
  if ('refusal' in called) throw new Error(`the preferences were not told: ${called.status} ${called.refusal}`);
  return called.value.preferences.find(({ storeId }) => storeId === stage.store.id)?.stampEventsEnabled ?? true;
}
