import { CornerError, type components, createClient, newUuid } from '@corner/client';
import type { Lock } from '@corner/page-kit/browser/lock';
import { type Kept, readJson, writeJson } from '@corner/page-kit/browser/storage';

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
  /** Of a customer who has signed in with an account: the name that the provider gave, null for none. Absent for a guest. */
  readonly account?: { readonly name: string | null };
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
  /** The account that the customer signed in with; null for a guest and without a session. */
  account(): { readonly name: string | null } | null;
  /**
   * Signs in with the ID token of a provider. A guest’s orders and stamps become those of the account (`joined`), unless it has a customer of its
   * own already: then they stay the guest’s (`kept`), which this browser forgets.
   */
  signIn(idToken: string): Promise<'joined' | 'kept' | 'ended' | null>;
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
  // All reads of a page wait for a token, also those that begin again once the connection is back: a dead one is given up soon.
  const limits = { attempts: 2, attemptMs: 6_000 };
  const client = createClient({ baseUrl: options.baseUrl, ...limits, ...(options.fetch ? { fetch: options.fetch } : {}) });
  const read = (): KeptSession | undefined => readSession(storage);
  const isCurrent = (session: KeptSession): boolean => session.expires_at - earlyMs > now();
  const write = (session: KeptSession | undefined): void => {
    if (session) writeJson(storage, sessionName, session);
    else storage.removeItem(sessionName);
    options.changed?.();
  };
  const store = (tokens: Tokens, account: KeptSession['account']): string => {
    const { access_token, refresh_token, subject, expires_in } = tokens;
    const expires_at = now() + expires_in * 1_000;
    write({ customer_id: subject.id, access_token, refresh_token, expires_at, ...(account ? { account } : {}) });
    return access_token;
  };

  const refresh = async (session: KeptSession): Promise<string | null> => {
    const refresh_key = session.refresh_key ?? newUuid();
    writeJson(storage, sessionName, { ...session, refresh_key } satisfies KeptSession);
    try {
      const { refresh_token, account } = session;
      const body = { refresh_token };
      return store((await client.POST('/api/v1/directory/token/refresh', { body, ...withKey(refresh_key) })).data, account);
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
    const token = store(tokens, undefined);
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
    account: () => read()?.account ?? null,
    signIn: (idToken) =>
      lock('session', async () => {
        const before = read();
        const body = {
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token: idToken,
          subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
          typ: 'customer',
          ...(before && !before.account ? { guest_refresh_token: before.refresh_token } : {}),
        } as const;
        const { data } = await client.POST('/api/v1/directory/token', { body, ...withKey(newUuid()) });
        store(data, { name: data.subject.name });
        return data.guest;
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
