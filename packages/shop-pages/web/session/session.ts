import { CornerError, type components, createClient, newUuid } from '@corner/client';
import { type Kept, type Lock, readJson, writeJson } from './storage.ts';

/** Where the session is kept. Tabs notice changes of it by the storage event. */
export const sessionName = 'corner.session';
const newGuestName = 'corner.new-guest';

/** What is kept of a customer who has a session. */
interface KeptSession {
  readonly customer_id: string;
  readonly access_token: string;
  /** Epoch milliseconds by this browser's clock. */
  readonly expires_at: number;
  readonly refresh_token: string;
  /** The Idempotency-Key of a refresh that was sent and whose reply is not here yet. */
  readonly refresh_key?: string;
}

export interface SessionOptions {
  readonly baseUrl: string;
  readonly storage: Kept;
  readonly lock: Lock;
  readonly now: () => number;
  /** The language of a new customer's messages. */
  readonly language: () => string;
  /** Called after this tab has begun, renewed or ended the session. */
  readonly changed?: () => void;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** The customer of this browser, who is a guest first. */
export interface Session {
  /** Null without a session. */
  customerId(): string | null;
  /** A current access token; null without a session. With `create`, makes a guest when there is none. */
  token(options?: { readonly create?: boolean }): Promise<string | null>;
  /** A token in place of one that the server refused; null when the session has ended. */
  renew(refused: string): Promise<string | null>;
  /** Ends the session at the server, and forgets it here. A guest's orders and stamps cannot be reached any more. */
  end(): Promise<void>;
}

/** A token is renewed this long before it ends. */
const earlyMs = 30_000;

/**
 * Keeps the tokens of the customer. One tab at a time uses a refresh token, and a repeat after a lost reply has the same Idempotency-Key, which
 * gets the same successor however late.
 */
export function createSession(options: SessionOptions): Session {
  const { storage, lock, now } = options;
  const client = createClient({ baseUrl: options.baseUrl, ...(options.fetch ? { fetch: options.fetch } : {}) });
  const read = (): KeptSession | undefined => readSession(storage);
  const isCurrent = (session: KeptSession): boolean => session.expires_at - earlyMs > now();
  const write = (session: KeptSession | undefined): void => {
    if (session) writeJson(storage, sessionName, session);
    else storage.removeItem(sessionName);
    options.changed?.();
  };
  const store = (tokens: Tokens): string => {
    const { access_token, refresh_token, subject, expires_in } = tokens;
    write({ customer_id: subject.id, access_token, refresh_token, expires_at: now() + expires_in * 1_000 });
    return access_token;
  };

  const refresh = async (session: KeptSession): Promise<string | null> => {
    const refresh_key = session.refresh_key ?? newUuid();
    writeJson(storage, sessionName, { ...session, refresh_key } satisfies KeptSession);
    try {
      const { refresh_token } = session;
      return store((await client.POST('/api/v1/directory/token/refresh', { body: { refresh_token }, ...withKey(refresh_key) })).data);
    } catch (error) {
      if (!(error instanceof CornerError) || error.code !== 'SESSION_ENDED') throw error;
      write(undefined);
      return null;
    }
  };
  const createGuest = async (): Promise<string> => {
    const key = storage.getItem(newGuestName) ?? newUuid();
    storage.setItem(newGuestName, key);
    const make = async (withThis: string) =>
      (await client.POST('/api/v1/directory/guests', { body: { language: options.language() }, ...withKey(withThis) })).data;
    const tokens = await make(key).catch(async (error: unknown) => {
      // The guest of that key was made longer ago than its tokens can be had, or in another language.
      if (!(error instanceof CornerError) || error.code !== 'IDEMPOTENCY_KEY_REUSED') throw error;
      return await make(newUuid());
    });
    const token = store(tokens);
    storage.removeItem(newGuestName);
    return token;
  };

  return {
    customerId: () => read()?.customer_id ?? null,
    async token({ create = false } = {}) {
      const before = read();
      if (before && isCurrent(before)) return before.access_token;
      if (!before && !create) return null;
      return await lock('session', async () => {
        const session = read();
        if (session && isCurrent(session)) return session.access_token;
        const token = session ? await refresh(session) : null;
        return token ?? (create ? await createGuest() : null);
      });
    },
    renew: (refused) =>
      lock('session', async () => {
        const session = read();
        if (!session) return null;
        return session.access_token === refused ? await refresh(session) : session.access_token;
      }),
    end: () =>
      lock('session', async () => {
        const session = read();
        if (!session) return;
        await client.POST('/api/v1/directory/token/revoke', { body: { refresh_token: session.refresh_token } });
        write(undefined);
      }),
  };
}

const withKey = (key: string) => ({ params: { header: { 'Idempotency-Key': key } } });

type Tokens = components['schemas']['Tokens'];

function readSession(storage: Kept): KeptSession | undefined {
  const value = readJson(storage, sessionName) as Partial<KeptSession> | undefined;
  const texts = [value?.customer_id, value?.access_token, value?.refresh_token];
  return texts.every((text) => typeof text === 'string') && typeof value?.expires_at === 'number' ? (value as KeptSession) : undefined;
}
