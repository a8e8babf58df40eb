/** A message on its way to one address. */
export interface Delivery {
  /** A UUID that stays the same however often this is tried, so that the far side can tell a repeat. */
  readonly id: string;
  /** An e-mail address, or a device's token. */
  readonly to: string;
  readonly title: string;
  readonly body: string;
  /** At most 64 bytes: a newer message with the same takes the older one's place on the screen. */
  readonly collapse: string;
  /** Past it the far side need not try any more. */
  readonly expiresAt: Date | null;
}

/**
 * What became of it. `gone`: the address is dead, for good. `refused`: this message will not be taken, however often. `later`: it may
 * work another time, and not before `afterSeconds`. A reason names statuses and codes, never an address or a text.
 */
export type Outcome =
  | { readonly as: 'delivered' }
  | { readonly as: 'gone'; readonly reason: string }
  | { readonly as: 'refused'; readonly reason: string }
  | { readonly as: 'later'; readonly reason: string; readonly afterSeconds: number };

/** One way to reach people. It never throws: whatever goes wrong is an {@link Outcome}. */
export interface Channel {
  deliver(delivery: Delivery): Promise<Outcome>;
  close(): Promise<void>;
}

/** By what each kind of address is reached; one that is not set up is absent. */
export type Channels = Readonly<Partial<Record<'email' | 'ios' | 'android' | 'web', Channel>>>;

/** Milliseconds a far side may take to answer. */
export const patienceMs = 10_000;

/** Seconds a `Retry-After` asks for: a number, or a date. Nothing is 0. */
export function secondsAsked(retryAfter: string | null, now: Date): number {
  if (!retryAfter) return 0;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? 0 : Math.max(0, Math.ceil((until - now.getTime()) / 1000));
}

/** What went wrong below the protocol, in a word that names nobody: a code such as ECONNREFUSED, or the error's name. */
export function faultOf(error: unknown): string {
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: { code?: unknown } };
  return String((typeof cause?.code === 'string' && cause.code) || (typeof code === 'string' && code) || name || 'fault');
}
