export interface Message {
  /** Counts up from 1 in order of arrival, over all channels. */
  readonly n: number;
  readonly at: string;
  readonly channel: 'email' | 'push' | 'sms' | 'wallet';
  readonly by: 'smtp' | 'fcm' | 'apns' | 'twilio' | 'google-wallet' | 'web-push';
  /** The mail address in lower case, the device token, the endpoint of a subscription, the phone number, or the id of a wallet object. */
  readonly to: string;
  /** The sender's address or number; null for channels without one. */
  readonly from: string | null;
  /** A mail's subject or a push's title; empty for a text and for a push without one. */
  readonly title: string;
  readonly text: string;
  readonly html: string | null;
  /** The payload besides the text: FCM's data fields, everything but `aps` from APNs, a service worker's other fields. */
  readonly data: Readonly<Record<string, unknown>>;
  /** A later message with the same key replaces this one on the device. */
  readonly collapseKey: string | null;
  /** A mail's headers, with names in lower case, or the `apns-` headers of a push, or TTL, urgency and topic of Web Push. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Inbox {
  all(): readonly Message[];
  to(recipient: string): readonly Message[];
  /** Resolves to all messages as soon as `enough` returns true; rejects after `withinMs` with an error that lists the inbox. */
  until(enough: (all: readonly Message[]) => boolean, withinMs?: number): Promise<readonly Message[]>;
  empty(): void;
}

export type Deliver = (message: Omit<Message, 'n' | 'at'>) => Message;

/** The largest number of messages that are kept, so that a system that runs for weeks does not leak memory. */
const kept = 10_000;

export function createInbox(now: () => Date): { readonly inbox: Inbox; readonly deliver: Deliver } {
  let messages: Message[] = [];
  let count = 0;
  const waiting = new Set<() => void>();

  const inbox: Inbox = {
    all: () => [...messages],
    to: (recipient) => messages.filter(({ to }) => to === recipient || to === recipient.toLowerCase()),
    until: (enough, withinMs = 60_000) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!enough([...messages])) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve([...messages]);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          const there = messages.map(({ by, to, title }) => `${by} to ${to}: ${title}`).join('; ') || 'nothing';
          reject(new Error(`not arrived within ${withinMs} ms; in the inbox: ${there}`));
        }, withinMs);
        waiting.add(look);
        look();
      }),
    empty: () => {
      messages = [];
    },
  };
  function deliver(message: Omit<Message, 'n' | 'at'>): Message {
    count += 1;
    const arrived: Message = { n: count, at: now().toISOString(), ...message };
    messages.push(arrived);
    if (messages.length > kept) messages = messages.slice(-kept);
    for (const look of [...waiting]) look();
    return arrived;
  }
  return { inbox, deliver };
}
