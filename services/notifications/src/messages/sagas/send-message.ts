import { createHash } from 'node:crypto';
import type { Channels, Delivery, Outcome } from '../adapters/channel.ts';
import { type Facts, type Template, toggleOf } from '../rules/template-data.ts';
import type { Addresses, Waiting } from '../tables/pending-messages.ts';
import { writeText } from '../texts/write-text.ts';

/** What an errand came to when its turn had come, and which devices turned out dead on the way. */
export interface Sent {
  readonly outcome: Outcome | { readonly as: 'muted'; readonly reason: 'unwanted' | 'unreachable' };
  readonly dead: readonly string[];
}

/**
 * Sends an errand by the way tried first, else by the other one. Push goes to every device; one that takes it is enough. What may
 * work later is waited for rather than sent the other way, so that nobody hears the same thing twice.
 */
export async function sendErrand(errand: Waiting, channels: Channels, now: Date): Promise<Sent> {
  const toggle = toggleOf[errand.template];
  if (toggle && !errand[toggle]) return { outcome: { as: 'muted', reason: 'unwanted' }, dead: [] };
  const store = { name: errand.store_name, time_zone: errand.time_zone, currency: errand.currency };
  const text = writeText('en', errand.template, errand.facts as unknown as Facts[Template], store, now);
  const message = {
    id: errand.id,
    ...text,
    collapse: createHash('sha256').update(errand.topic).digest('base64url'),
    expiresAt: errand.expires_at === null ? null : new Date(errand.expires_at),
  };
  const dead: string[] = [];
  let refused: Outcome | null = null;
  for (const way of errand.channel === 'push' ? (['push', 'email'] as const) : (['email', 'push'] as const)) {
    const outcome = way === 'push' ? await push(message, errand, channels, dead) : await email(message, errand, channels);
    if (outcome?.as === 'delivered' || outcome?.as === 'later') return { outcome, dead };
    if (outcome?.as === 'refused') refused ??= outcome;
  }
  return { outcome: refused ?? { as: 'muted', reason: 'unreachable' }, dead };
}

type Message = Omit<Delivery, 'to'>;

async function email(message: Message, { email: to }: Addresses, channels: Channels): Promise<Outcome | null> {
  return to && channels.email ? await channels.email.deliver({ ...message, to }) : null;
}

/** Null when there is no device that lives. */
async function push(message: Message, { devices }: Addresses, channels: Channels, dead: string[]): Promise<Outcome | null> {
  const outcomes = await Promise.all(
    devices.map(async ({ id: to, platform }) => {
      const outcome = await channels[platform]?.deliver({ ...message, to });
      if (outcome?.as === 'gone') dead.push(to);
      return outcome;
    }),
  );
  const first = (as: Outcome['as']) => outcomes.find((outcome) => outcome?.as === as) ?? null;
  return first('delivered') ?? first('later') ?? first('refused');
}

/** The way a customer would be reached by news: what {@link sendErrand} tries first and has a channel for. */
export function reachOf({ email: address, devices }: Addresses, channels: Channels): 'push' | 'email' | 'none' {
  if (devices.some(({ platform }) => channels[platform])) return 'push';
  return address && channels.email ? 'email' : 'none';
}
