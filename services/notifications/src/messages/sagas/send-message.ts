import { createHash } from 'node:crypto';
import {
  type Call,
  continuing,
  currentTraceparent,
  inSpan,
  linkTo,
  measure,
  peerAttributes,
  RpcUnavailable,
  SpanKind,
  SpanStatusCode,
  searchAttributes,
} from '@corner/chassis';
import { Problem, queueGuest, readPhoneNumber } from '@corner/contracts';
import type { Context } from '../../context.ts';
import type { Channels, Delivery } from '../adapters/channel.ts';
import { addressHash, numberHash } from '../crypto.ts';
import { type ChannelKind, channelsToTry } from '../rules/channels.ts';
import type { DeliveryOutcome, SendOutcome } from '../rules/delivery.ts';
import type { Withheld } from '../rules/mail-limits.ts';
import { letsSend } from '../rules/preferences.ts';
import { type Template, type TemplateData, togglesOf } from '../rules/template-data.ts';
import { type Addresses, selectAddresses } from '../tables/directory.ts';
import type { PendingMessage } from '../tables/leases.ts';
import { giveFirstMailBack, mayBeMailed } from '../tables/mail-limits.ts';
import { claimText } from '../tables/texts.ts';
import { languages, writeText } from '../texts/write-text.ts';
import { mailOf } from './mail-of-message.ts';

export interface SendResult {
  readonly outcome: SendOutcome;
  readonly sentChannel: ChannelKind | null;
  readonly goneDevices: readonly string[];
}

/**
 * Sends a message over the first of its channels that reaches the person; a push goes to every device, once to one that is both in the
 * directory and linked. A deferred one is not sent over the next channel, so that no one gets it twice. `takenOver`: another replica may
 * have sent it unrecorded. The content is written only for a channel that has an address.
 */
export async function sendMessage(message: PendingMessage, takenOver: boolean, context: Context): Promise<SendResult> {
  if (!togglesOf(message.template).every((toggle) => letsSend(toggle, message[toggle])))
    return { outcome: { status: 'muted', reason: 'unwanted' }, sentChannel: null, goneDevices: [] };
  let written: Content | null = null;
  const content = () => (written ??= contentOf(message, takenOver, context.now()));
  const goneDevices: string[] = [];
  let rejected: DeliveryOutcome | null = null;
  let withheld: Withheld | null = null;
  const send = {
    push: () => sendPush(content, message, context.channels, goneDevices),
    email: () => sendEmail(message, context, (reason) => (withheld = reason)),
    sms: () => sendSms(content, message, context, (reason) => (withheld = reason)),
  };
  for (const channel of channelsToTry(message)) {
    const outcome = await inDeliverySpan(channel, message, serverOf(channel, message, context.channels), send[channel]);
    if (outcome?.status === 'delivered') return { outcome, sentChannel: channel, goneDevices };
    if (outcome?.status === 'deferred') return { outcome, sentChannel: null, goneDevices };
    if (outcome?.status === 'rejected') rejected ??= outcome;
  }
  return { outcome: rejected ?? { status: 'muted', reason: withheld ?? 'unreachable' }, sentChannel: null, goneDevices };
}

function inDeliverySpan(
  channel: DeliveryChannel,
  { id, event_id, store_id, customer_id, template, data, attempts, traceparent }: PendingMessage,
  server: string | undefined,
  send: () => Promise<DeliveryOutcome | null>,
): Promise<DeliveryOutcome | null> {
  const attributes = {
    ...searchAttributes(data, { store_id, customer_id }),
    ...(server === undefined ? {} : peerAttributes(server)),
    'corner.channel': channel,
    'corner.message.id': id,
    'corner.message.template': template,
    'corner.message.attempt': attempts + 1,
    'corner.event.id': event_id,
  };
  const place = traceparent === null ? {} : { parent: continuing(traceparent), links: linkTo(currentTraceparent()) };
  return inSpan(`send ${channel}`, { kind: SpanKind.CLIENT, attributes, ...place }, async (span) => {
    const begunAt = performance.now();
    const outcome = await send();
    if (outcome) measureDelivery(channel, outcome.status, performance.now() - begunAt);
    span.setAttribute('corner.outcome', outcome === null ? 'unreachable' : outcomeLabels[outcome.status]);
    if (outcome && outcome.status !== 'delivered') {
      span.setAttribute('error.type', outcome.status);
      span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.status });
    }
    return outcome;
  });
}

function serverOf(channel: DeliveryChannel, { devices }: Addresses, channels: Channels): string | undefined {
  if (channel !== 'push') return channels[channel]?.server;
  const first = devices.find((device) => isReachable(device, channels));
  return first && (first.keys ? first.id : channels[first.platform]?.server);
}

type Device = Addresses['devices'][number];

const isReachable = ({ platform, keys }: Device, channels: Channels): boolean =>
  (keys ? channels.subscription : channels[platform]) !== undefined;

const deliverTo = ({ id: to, platform, keys }: Device, content: () => Content, { subscription, ...channels }: Channels) =>
  keys ? subscription?.deliver({ ...content(), to, keys }) : channels[platform]?.deliver({ ...content(), to });

const measureDelivery = (channel: DeliveryChannel, status: DeliveryOutcome['status'], milliseconds: number): void =>
  measure('corner.message.delivery.duration', milliseconds / 1000, { 'corner.channel': channel, 'corner.outcome': outcomeLabels[status] });

const outcomeLabels = { delivered: 'ok', gone: 'refused', rejected: 'refused', deferred: 'failed' } as const;

export async function reachableBy(customerId: string, { database, channels, webhooks }: Context): Promise<'push' | 'email' | 'none'> {
  const { email, email_verified, devices } = await selectAddresses(database, customerId);
  if (devices.some((device) => isReachable(device, channels))) return 'push';
  if (!email || !channels.email) return 'none';
  return email_verified || (await mayBeMailed(database, customerId, addressHash(webhooks.key, email))) ? 'email' : 'none';
}

type Content = Omit<Delivery, 'to'>;

function contentOf(message: PendingMessage, takenOver: boolean, now: Date): Content {
  const store = { name: message.store_name, time_zone: message.time_zone, currency: message.currency };
  return {
    id: message.id,
    ...writeText(languages[message.language], message.template, message.data as unknown as TemplateData[Template], { store, now }),
    collapseKey: createHash('sha256').update(message.topic).digest('base64url'),
    expiresAt: message.expires_at === null ? null : new Date(message.expires_at),
    createdAt: new Date(message.created_at),
    isRepeat: takenOver || message.attempts > 0,
  };
}

type DeliveryChannel = 'push' | 'email' | 'sms';

async function sendPush(
  content: () => Content,
  { devices }: Addresses,
  channels: Channels,
  goneDevices: string[],
): Promise<DeliveryOutcome | null> {
  const once = new Map(devices.map((device) => [device.id, device]));
  const outcomes = await Promise.all(
    [...once.values()].map(async (device) => {
      const outcome = await deliverTo(device, content, channels);
      if (outcome?.status === 'gone') goneDevices.push(device.id);
      return outcome;
    }),
  );
  const first = (status: DeliveryOutcome['status']) => outcomes.find((outcome) => outcome?.status === status) ?? null;
  return first('delivered') ?? first('deferred') ?? first('rejected');
}

/**
 * Null without an address or e-mail, and for a mail that is withheld. Deferred while the service that has the receipt or the invitation
 * does not reply.
 */
async function sendEmail(message: PendingMessage, context: Context, withhold: (reason: Withheld) => void): Promise<DeliveryOutcome | null> {
  const channel = context.channels.email;
  if (!channel) return null;
  try {
    const addressed = await mailOf(message, context);
    if (typeof addressed === 'string') withhold(addressed);
    if (addressed === null || typeof addressed === 'string') return null;
    const outcome = await channel.deliver({ id: message.id, ...addressed });
    if (outcome.status !== 'delivered' && message.customer_id !== null && !message.email_verified)
      await giveFirstMailBack(context.database, message.customer_id, message.id);
    return outcome;
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    const service = message.template === 'staff.invited' ? 'directory' : 'orders';
    return { status: 'deferred', reason: `${service} unavailable`, retryAfterSeconds: 0 };
  }
}

/**
 * Sends a text to the directory's phone number, else the queue entry's; null when there is neither, or no SMS. Deferred while the queue
 * does not reply. A number stored before numbers were normalised may have a zero too many, or spaces. Withheld from a number that has
 * stopped texts: all stores have one sender, so of all of them.
 */
async function sendSms(
  content: () => Omit<Delivery, 'to'>,
  { phone, entry_ref, store_id, customer_id, contact_id }: PendingMessage,
  { channels, call, database, webhooks, now }: Context,
  withhold: (reason: Withheld) => void,
): Promise<DeliveryOutcome | null> {
  if (!channels.sms) return null;
  try {
    const stored = phone ?? (entry_ref === null ? null : await findGuestPhone(call, entry_ref));
    const to = stored && (readPhoneNumber(stored, null) ?? stored);
    if (to === null) return null;
    const entryRef = contact_id === null ? entry_ref : null;
    const claim = { number: numberHash(webhooks.key, to), storeId: store_id, customerId: customer_id, entryRef };
    if (await claimText(database, claim, now())) return await channels.sms.deliver({ ...content(), to });
    withhold('stopped');
    return null;
  } catch (error) {
    if (error instanceof RpcUnavailable) return { status: 'deferred', reason: 'queue unavailable', retryAfterSeconds: 0 };
    throw error;
  }
}

/** Null when the entry has no number or has ended. The number is used for one attempt and stored nowhere. */
async function findGuestPhone(call: Call, entryRef: string): Promise<string | null> {
  try {
    return (await call(queueGuest, { entry_ref: entryRef })).phone;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
