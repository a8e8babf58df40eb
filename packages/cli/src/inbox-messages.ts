import { z } from 'zod';

/** What the simulated far sides of messages show at /inbox.json, as far as people look at it. */
export const InboxMessages = z.array(
  z.object({
    n: z.int(),
    at: z.iso.datetime(),
    channel: z.enum(['email', 'push', 'wallet']),
    to: z.string(),
    title: z.string(),
    text: z.string(),
  }),
);
export type InboxMessage = z.output<typeof InboxMessages>[number];

/** The address of the inbox: of messages to any of `to`, all without one, that came after number `after`. */
export function inboxAddress(base: string, { to = [], after = 0 }: { readonly to?: readonly string[]; readonly after?: number }): string {
  const query = new URLSearchParams([...to.map((address) => ['to', address]), ['after', String(after)]]);
  return `${base.replace(/\/+$/, '')}/inbox.json?${query}`;
}

/** One line of a terminal: time of day, channel, title. What a message brought along cannot steer the terminal. */
export function lineOfMessage({ at, channel, title }: InboxMessage): string {
  return `${new Date(at).toLocaleTimeString('en-GB')}  ${channel.padEnd(7)}${plain(title)}`;
}

/** Text without characters that a terminal would act on. */
export const plain = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();
