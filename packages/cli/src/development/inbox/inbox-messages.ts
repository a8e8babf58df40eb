import { z } from 'zod';

/** The messages at /inbox.json of the simulated message providers, with the fields that are shown. */
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

/** The URL of the messages to any address in `to` (to all addresses when it is empty) with a number greater than `after`. */
export function inboxAddress(base: string, { to = [], after = 0 }: { readonly to?: readonly string[]; readonly after?: number }): string {
  const query = new URLSearchParams([...to.map((address) => ['to', address]), ['after', String(after)]]);
  return `${base.replace(/\/+$/, '')}/inbox.json?${query}`;
}

export function lineOfMessage({ at, channel, title }: InboxMessage): string {
  return `${new Date(at).toLocaleTimeString('en-GB')}  ${channel.padEnd(7)}${plain(title)}`;
}

/** Replaces control characters, which a terminal would act on, by spaces. */
export const plain = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();
