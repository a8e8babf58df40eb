import { type InboxMessage, InboxMessages, inboxAddress, lineOfMessage } from '../inbox/inbox-messages.ts';
import { callCorner } from './call-corner.ts';
import { httpCall } from './http-call.ts';
import type { StorySetting } from './prepare-story.ts';
import { type StepResult, takeStep } from './take-step.ts';

/** Some messages are sent seconds later, so that a newer one can replace them. */
const messageTimeoutMs = 20_000;

export interface ExpectedMessage {
  readonly channel: InboxMessage['channel'];
  readonly title: string;
}

export const messagesAbout = (orderNumber: string) =>
  ({
    receipt: { channel: 'email', title: `Receipt for order ${orderNumber}` },
    accepted: { channel: 'push', title: `Order ${orderNumber} is accepted` },
    ready: { channel: 'push', title: `Order ${orderNumber} is ready` },
    refund: { channel: 'email', title: `Refund for order ${orderNumber}` },
    stampTaken: { channel: 'push', title: 'A stamp was removed' },
  }) as const satisfies Record<string, ExpectedMessage>;

type SettingWithInbox = StorySetting & { readonly messages: string };

export async function readInbox(setting: SettingWithInbox, name: string): Promise<StepResult<number>> {
  const url = inboxAddress(setting.messages, { to: setting.addresses });
  const read = () => httpCall(setting.traceId, { method: 'GET', url }, InboxMessages);
  const { step, value } = await takeStep({ traceId: setting.traceId, name }, read, (all) => ({
    ok: true,
    result: `${all.length} messages so far`,
  }));
  return { step, value: value && (value.at(-1)?.n ?? 0) };
}

interface MessageWait {
  readonly name: string;
  readonly after: number;
  readonly expected: readonly ExpectedMessage[];
  readonly showAll: boolean;
}

/** Waits until every expected message has arrived once, each channel's in the given order. Others are ignored. */
export async function awaitMessages(
  setting: SettingWithInbox,
  { name, after, expected, showAll }: MessageWait,
): Promise<StepResult<readonly InboxMessage[]>> {
  const url = inboxAddress(setting.messages, { to: setting.addresses, after });
  return await takeStep(
    { traceId: setting.traceId, name, timeoutMs: messageTimeoutMs },
    () => httpCall(setting.traceId, { method: 'GET', url }, InboxMessages),
    (all) => {
      const fault = findFault(all, expected);
      const newest = all.at(-1);
      const result = fault ?? (showAll ? `${all.length} messages, each once and in order` : `${newest?.channel}: ${newest?.title}`);
      return { ok: fault === null, result, ...(showAll ? { lines: all.map(lineOfMessage) } : {}) };
    },
  );
}

export function findFault(all: readonly InboxMessage[], expected: readonly ExpectedMessage[]): string | null {
  for (const channel of new Set(expected.map((message) => message.channel))) {
    const titles = expected.filter((message) => message.channel === channel).map(({ title }) => title);
    const received = all.filter((message) => message.channel === channel && titles.includes(message.title)).map(({ title }) => title);
    const missing = titles.find((title) => !received.includes(title));
    if (missing) return `no ${channel} “${missing}”`;
    const repeated = received.find((title, index) => received.indexOf(title) !== index);
    if (repeated) return `${channel} “${repeated}” arrived more than once`;
    if (received.some((title, index) => title !== titles[index])) return `${channel} out of order: ${received.join(', ')}`;
  }
  return null;
}

export async function wantsStampMessages(setting: StorySetting): Promise<boolean> {
  const result = await callCorner(setting, setting.tokens.customer, (corner) => corner.GET('/api/v1/notifications/preferences'));
  if ('error' in result) throw new Error(`the preferences could not be read: ${result.status} ${result.error}`);
  return result.value.preferences.find(({ storeId }) => storeId === setting.store.id)?.stampEventsEnabled ?? true;
}
