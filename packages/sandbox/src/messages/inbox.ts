/** One message as it arrived at a far side. */
export interface Message {
  /** Counts up from 1 in order of arrival, over all channels. */
  readonly n: number;
  /** When it arrived, as ISO 8601 in UTC. */
  readonly at: string;
  readonly channel: 'email' | 'push' | 'wallet';
  readonly by: 'smtp' | 'fcm' | 'apns' | 'google-wallet';
  /** The mail address in lower case, the device's token, or the id of a wallet object. */
  readonly to: string;
  /** The sender's address; null where a channel has none. */
  readonly from: string | null;
  /** A mail's subject, a push's title. Empty for a push without one. */
  readonly title: string;
  readonly text: string;
  readonly html: string | null;
  /** What an app is handed beside the text: data fields of FCM, or of APNs all that is not `aps`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** A later message of the same key takes the place of this one on the device. */
  readonly collapseKey: string | null;
  /** Of a mail: its headers, in lower case. Of a push to APNs: the request's `apns-` headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Everything that arrived, as a person or a test looks at it. */
export interface Inbox {
  /** In order of arrival. */
  all(): readonly Message[];
  to(recipient: string): readonly Message[];
  /** Resolves with all messages as soon as `enough` of them; rejects after `withinMs` with what is there instead. */
  until(enough: (all: readonly Message[]) => boolean, withinMs?: number): Promise<readonly Message[]>;
  /** Forgets all messages; the count goes on. */
  empty(): void;
}

export type Deliver = (message: Omit<Message, 'n' | 'at'>) => Message;

/** Messages kept: enough for any demonstration, and no leak in a system that runs for weeks. */
const kept = 10_000;

/** An inbox in memory, and the way into it. */
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
