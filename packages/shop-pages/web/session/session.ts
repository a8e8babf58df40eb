import { type CornerClient, CornerError, type components, createClient, newUuid } from '@corner/client';
import type { Lock } from '@corner/page-kit/browser/lock';
import { type Kept, readJson, writeJson } from '@corner/page-kit/browser/storage';

export const sessionName = 'corner.session';
const newGuestName = 'corner.new-guest';

/**
 * The stored session of a customer. `expires_at` is in epoch milliseconds by this browser's clock. `account` has the provider's name for a
 * customer who has signed in, null for none; it is absent for a guest. `refresh_key` is the Idempotency-Key of a refresh whose reply has
 * not arrived.
 */
interface KeptSession {
  readonly customer_id: string;
  readonly access_token: string;
  readonly expires_at: number;
  readonly refresh_token: string;
  readonly account?: { readonly name: string | null };
  readonly refresh_key?: string;
}

export interface SessionOptions {
  readonly baseUrl: string;
  readonly storage: Kept;
  readonly lock: Lock;
  readonly now: () => number;
  readonly language: () => string;
  readonly changed?: () => void;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Ids, accounts and tokens are null without a session; `account` also for a guest. */
export interface Session {
  customerId(): string | null;
  account(): { readonly name: string | null } | null;
  /**
   * Signs in with the ID token of a provider. A guest’s orders and stamps move to the account (`joined`), unless it already has a customer
   * of its own: then they stay the guest’s (`kept`), which this browser forgets.
   */
  signIn(idToken: string): Promise<'joined' | 'kept' | 'ended' | null>;
  /** A current access token. With `create`, creates a guest when there is no session. */
  token(options?: { readonly create?: boolean }): Promise<string | null>;
  /** Null when the session has ended. */
  renew(refused: string): Promise<string | null>;
  /** Ends the session at the server, and forgets it here. A guest's orders and stamps can no longer be reached. */
  end(): Promise<void>;
}

const earlyMs = 30_000;

/**
 * Stores the tokens of the customer. One tab at a time uses a refresh token, and a repeat after a lost reply has the same Idempotency-Key,
 * which gets the same successor however late.
 */
export const createSession = (options: SessionOptions): Session => new BrowserSession(options);

class BrowserSession implements Session {
  readonly #options: SessionOptions;
  readonly #client: CornerClient;

  constructor(options: SessionOptions) {
    this.#options = options;
    // All reads of a page wait for a token, also those that begin again once the connection is back: a dead connection is given up soon.
    const limits = { attempts: 2, attemptMs: 6_000 };
    this.#client = createClient({ baseUrl: options.baseUrl, ...limits, ...(options.fetch ? { fetch: options.fetch } : {}) });
  }

  customerId = (): string | null => this.#kept()?.customer_id ?? null;

  account = (): { readonly name: string | null } | null => this.#kept()?.account ?? null;

  token = async ({ create = false } = {}): Promise<string | null> => {
    const before = this.#kept();
    if (before && this.#isCurrent(before)) return before.access_token;
    if (!before && !create) return null;
    return await this.#alone(async (session) => {
      if (session && this.#isCurrent(session)) return session.access_token;
      const token = session ? await this.#refresh(session) : null;
      return token ?? (create ? await this.#createGuest() : null);
    });
  };

  renew = (refused: string): Promise<string | null> =>
    this.#alone(async (session) => {
      if (!session) return null;
      return session.access_token === refused ? await this.#refresh(session) : session.access_token;
    });

  signIn = (idToken: string): ReturnType<Session['signIn']> =>
    this.#alone(async (before) => {
      const body = {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: idToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        typ: 'customer',
        ...(before && !before.account ? { guest_refresh_token: before.refresh_token } : {}),
      } as const;
      const { data } = await this.#client.POST('/api/v1/directory/token', { body, ...withKey(newUuid()) });
      this.#store(data, { name: data.subject.name });
      return data.guest;
    });

  end = (): Promise<void> =>
    this.#alone(async (session) => {
      if (!session) return;
      await this.#client.POST('/api/v1/directory/token/revoke', { body: { refresh_token: session.refresh_token } });
      this.#keep(undefined);
    });

  #kept = (): KeptSession | undefined => readSession(this.#options.storage);

  #isCurrent = ({ expires_at }: KeptSession): boolean => expires_at - earlyMs > this.#options.now();

  #alone<T>(work: (session: KeptSession | undefined) => Promise<T>): Promise<T> {
    return this.#options.lock('session', () => work(this.#kept()));
  }

  #keep(session: KeptSession | undefined): void {
    const { storage, changed } = this.#options;
    if (session) writeJson(storage, sessionName, session);
    else storage.removeItem(sessionName);
    changed?.();
  }

  #store({ access_token, refresh_token, subject, expires_in }: Tokens, account: KeptSession['account']): string {
    const expires_at = this.#options.now() + expires_in * 1_000;
    this.#keep({ customer_id: subject.id, access_token, refresh_token, expires_at, ...(account ? { account } : {}) });
    return access_token;
  }

  async #refresh(session: KeptSession): Promise<string | null> {
    const refresh_key = session.refresh_key ?? newUuid();
    writeJson(this.#options.storage, sessionName, { ...session, refresh_key } satisfies KeptSession);
    try {
      const { refresh_token, account } = session;
      const { data } = await this.#client.POST('/api/v1/directory/token/refresh', { body: { refresh_token }, ...withKey(refresh_key) });
      return this.#store(data, account);
    } catch (error) {
      if (!(error instanceof CornerError) || error.code !== 'SESSION_ENDED') throw error;
      this.#keep(undefined);
      return null;
    }
  }

  async #createGuest(): Promise<string> {
    const { storage, language } = this.#options;
    const key = storage.getItem(newGuestName) ?? newUuid();
    storage.setItem(newGuestName, key);
    const make = async (withThis: string) =>
      (await this.#client.POST('/api/v1/directory/guests', { body: { language: language() }, ...withKey(withThis) })).data;
    const tokens = await make(key).catch(async (error: unknown) => {
      // The tokens of that key's guest are no longer available, or it was created in another language.
      if (!(error instanceof CornerError) || error.code !== 'IDEMPOTENCY_KEY_REUSED') throw error;
      return await make(newUuid());
    });
    const token = this.#store(tokens, undefined);
    storage.removeItem(newGuestName);
    return token;
  }
}

const withKey = (key: string) => ({ params: { header: { 'Idempotency-Key': key } } });

type Tokens = components['schemas']['Tokens'];

function readSession(storage: Kept): KeptSession | undefined {
  const value = readJson(storage, sessionName) as Partial<KeptSession> | undefined;
  const texts = [value?.customer_id, value?.access_token, value?.refresh_token];
  return texts.every((text) => typeof text === 'string') && typeof value?.expires_at === 'number' ? (value as KeptSession) : undefined;
}
