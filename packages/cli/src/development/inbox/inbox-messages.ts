import { z } from 'zod';

export const InboxMessages = z.array(
  z.object({
    n: z.int(),
    at: z.iso.datetime(),
    channel: z.enum(['email', 'push', 'sms', 'wallet']),
    to: z.string(),
    title: z.string(),
    text: z.string(),
  }),
);
export type InboxMessage = z.output<typeof InboxMessages>[number];

export function inboxAddress(base: string, { to = [], after = 0 }: { readonly to?: readonly string[]; readonly after?: number }): string {
  const query = new URLSearchParams([...to.map((address) => ['to', address]), ['after', String(after)]]);
  return `${base.replace(/\/+$/, '')}/inbox.json?${query}`;
}

export function lineOfMessage({ at, channel, title }: InboxMessage): string {
  return `${new Date(at).toLocaleTimeString('en-GB')}  ${channel.padEnd(7)}${plain(title)}`;
}

export const plain = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();
