import type { Context } from '../context.ts';
import { Declined, Unanswered } from './adapters.ts';
import { keyOf, nextStep, type ProviderPurpose } from './rules.ts';
import { beginCall, endCall, findLatestCall, firstCall, type ProviderCall } from './tables.ts';

/** Something that the provider is to create once. */
export interface Ask<T extends { readonly id: string }> {
  readonly purpose: ProviderPurpose;
  /** The id of what it is for. There is one created thing for each purpose and reference. */
  readonly reference: string;
  /** What the provider's keys begin with; unique among all keys, and derived from ids only. */
  readonly keyName: string;
  /** The latest attempt, when the caller has read or written it already. */
  readonly latest?: ProviderCall | null | undefined;
  /** Asks the provider to create it, under a key. */
  readonly make: (key: string) => Promise<T>;
  /** Looks for it at the provider, by our ids in its metadata; null when it is not there. `since` is when the attempt began. */
  readonly find: (since: Date) => Promise<T | null>;
}

/** What the provider has created, and the attempt that did. */
export interface Answered<T> {
  readonly made: T;
  readonly call: ProviderCall;
}

/** The most attempts that one request makes. */
const mostAttempts = 3;

/**
 * Has the provider create something once, and stores that it did: the one place that decides how such a call is repeated. A lost
 * response is asked for again under the same key. After an error that the provider may keep under its key, and for a key it may have
 * forgotten, the thing is looked for; when it is not there, a new attempt with a new key is stored and made. What moves money waits a
 * little before that, so it may end with PAYMENT_PROVIDER_ERROR and is done when asked again later. Throws {@link Declined} when the
 * provider declines it and it is not there.
 */
export async function askProvider<T extends { readonly id: string }>(context: Context, ask: Ask<T>): Promise<T> {
  const { made, call } = await askUnsettled(context, ask);
  if (call.state !== 'done') await endCall(context.database, call, { state: 'done', providerId: made.id }, context.now());
  return made;
}

/** As {@link askProvider}, but the caller stores that it was done, together with what follows from it. */
export async function askUnsettled<T extends { readonly id: string }>(context: Context, ask: Ask<T>): Promise<Answered<T>> {
  const { database, now } = context;
  let call =
    ask.latest ?? (await findLatestCall(database, ask)) ?? (await beginCall(database, firstCall(ask, keyOf(ask.keyName, 1), now())));
  for (let attempts = 0; ; ) {
    const step = nextStep(call, now());
    if (step === 'look' || step === 'look and begin') {
      const found = await ask.find(new Date(call.created_at));
      if (found) return { made: found, call };
      if (step === 'look') throw new Unanswered({ mayBeKept: false });
    }
    if (step !== 'ask') {
      if (attempts === mostAttempts) throw new Unanswered({ mayBeKept: true });
      const attempt = call.attempt + 1;
      call = await beginCall(database, { ...firstCall(ask, keyOf(ask.keyName, attempt), now()), attempt });
      continue;
    }
    attempts += 1;
    try {
      return { made: await ask.make(call.idempotency_key), call };
    } catch (error) {
      if (error instanceof Declined) {
        // An earlier attempt may have had its effect after all, and be the reason for the refusal.
        const found = await ask.find(new Date(call.created_at));
        if (found) return { made: found, call };
        await endCall(database, call, { state: 'refused' }, now());
        throw error;
      }
      if (!(error instanceof Unanswered && error.mayBeKept)) throw error;
      call = await endCall(database, call, { state: 'failed' }, now());
    }
  }
}

/** Something harmless that expires by itself and is not looked for again. */
export interface Expiring<T> {
  readonly purpose: ProviderPurpose;
  readonly reference: string;
  readonly keyName: string;
  /** The latest stored attempt; null when there is none. The first is stored only when it fails. */
  readonly latest: ProviderCall | null;
  readonly make: (key: string) => Promise<T>;
}

/** As {@link askProvider}, for something that needs not be found again: after an error that may be kept, a new attempt is made at once. */
export async function askForExpiring<T>({ database, now }: Context, ask: Expiring<T>): Promise<T> {
  let attempt = ask.latest?.attempt ?? 1;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await ask.make(keyOf(ask.keyName, attempt));
    } catch (error) {
      if (!(error instanceof Unanswered && error.mayBeKept)) throw error;
      attempt += 1;
      await beginCall(database, { ...firstCall(ask, keyOf(ask.keyName, attempt), now()), attempt });
      if (attempts === mostAttempts) throw error;
    }
  }
}
