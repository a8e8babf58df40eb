export interface Message {
  readonly n: number;
  readonly at: string;
  readonly channel: 'email' | 'push' | 'sms' | 'wallet';
  readonly by: 'smtp' | 'fcm' | 'apns' | 'twilio' | 'google-wallet' | 'web-push';
  readonly to: string;
  readonly from: string | null;
  readonly title: string;
  readonly text: string;
  readonly html: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly collapseKey: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Inbox {
  all(): readonly Message[];
  to(recipient: string): readonly Message[];
  until(enough: (all: readonly Message[]) => boolean, withinMs?: number): Promise<readonly Message[]>;
  empty(): void;
}

export type Deliver = (message: Omit<Message, 'n' | 'at'>) => Message;

/** The oldest messages are dropped, so that a system that runs for weeks does not leak memory. */
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
