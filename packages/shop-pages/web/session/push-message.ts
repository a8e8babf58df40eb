export interface PushMessage {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  /** On this origin; null for the shop last opened. */
  readonly url: string | null;
  readonly message_id: string | null;
}

/** Returns null if the payload is not a message. Drops an address of another origin. */
export function readPush(text: string | undefined, origin: string): PushMessage | null {
  const value = parse(text);
  if (typeof value?.title !== 'string') return null;
  const { title, body, tag, url, message_id } = value;
  const address = typeof url === 'string' ? URL.parse(url, origin) : null;
  return {
    title,
    body: typeof body === 'string' ? body : '',
    tag: typeof tag === 'string' ? tag : '',
    url: address?.origin === origin ? address.href : null,
    message_id: typeof message_id === 'string' ? message_id : null,
  };
}

function parse(text: string | undefined): Partial<Record<keyof PushMessage, unknown>> | null {
  try {
    return JSON.parse(text ?? 'null') as Partial<Record<keyof PushMessage, unknown>> | null;
  } catch {
    return null;
  }
}
