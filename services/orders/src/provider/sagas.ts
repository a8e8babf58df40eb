import type { Context } from '../context.ts';
import { Declined, keyOf, nextStep, type ProviderPurpose, Unanswered } from './rules.ts';
import { beginCall, endCall, findLatestCall, firstCall, type ProviderCall } from './tables.ts';

/**
 * Something that the provider is to create once. `reference` is the id of its subject: each purpose and reference has one created thing.
 * `keyName`, the prefix of the provider's keys, is unique among all keys, and derived from ids only. `latest` is the latest attempt, when
 * the caller has read or written it.
 */
export interface Ask<T extends { readonly id: string }> {
  readonly purpose: ProviderPurpose;
  readonly reference: string;
  readonly keyName: string;
  readonly latest?: ProviderCall | null | undefined;
  readonly make: (key: string) => Promise<T>;
  /** Looks for it at the provider, by our ids in its metadata; null when it is not there. `since` is when the attempt began. */
  readonly find: (since: Date) => Promise<T | null>;
}

export interface Answered<T> {
  readonly made: T;
  readonly call: ProviderCall;
}

const mostAttempts = 3;

/**
 * Has the provider create something once, and stores that it did: this alone decides how such a call is repeated. After a lost response it
 * is repeated under the same key. The provider may repeat an error for its key, and forgets a key after a day: in both cases the thing is
 * searched for first, and if it is missing a new attempt is stored and made under a new key. Where money moves, that attempt is deferred:
 * the call ends with PAYMENT_PROVIDER_ERROR, and a later one succeeds. Throws {@link Declined} when the provider refuses for good, and
 * {@link Unanswered} when it gave no usable response.
 */
export async function askProvider<T extends { readonly id: string }>(context: Context, ask: Ask<T>): Promise<T> {
  const { made, call } = await askUnrecorded(context, ask);
  if (call.state !== 'done') await endCall(context.database, call, { state: 'done', providerId: made.id }, context.now());
  return made;
}

/** As {@link askProvider}, but the caller stores the result, together with its consequences. */
export async function askUnrecorded<T extends { readonly id: string }>(context: Context, ask: Ask<T>): Promise<Answered<T>> {
  const { database, now } = context;
  let call =
    ask.latest ?? (await findLatestCall(database, ask)) ?? (await beginCall(database, firstCall(ask, keyOf(ask.keyName, 1), now())));
  for (let asked = 0; ; ) {
    const step = nextStep(call, now());
    switch (step) {
      case 'ask': {
        asked += 1;
        const after = await make(context, ask, call);
        if ('made' in after) return after;
        call = after;
        break;
      }
      case 'look': {
        const found = await look(ask, call);
        if (found) return found;
        throw new Unanswered({ mayBeKept: false });
      }
      case 'look and begin': {
        const found = await look(ask, call);
        if (found) return found;
        call = await beginNext(context, ask, call, asked);
        break;
      }
      case 'begin':
        call = await beginNext(context, ask, call, asked);
        break;
      default:
        return step satisfies never;
    }
  }
}

/** Makes the call under the attempt's key. Returns the attempt as failed after an error that the provider may keep for the key. */
async function make<T extends { readonly id: string }>(
  context: Context,
  ask: Ask<T>,
  call: ProviderCall,
): Promise<Answered<T> | ProviderCall> {
  try {
    return { made: await ask.make(call.idempotency_key), call };
  } catch (error) {
    return await afterError(context, ask, call, error);
  }
}

async function afterError<T extends { readonly id: string }>(
  { database, now }: Context,
  ask: Ask<T>,
  call: ProviderCall,
  error: unknown,
): Promise<Answered<T> | ProviderCall> {
  if (error instanceof Declined) {
    // An earlier attempt may have succeeded after all, and be the reason for the refusal.
    const found = await look(ask, call);
    if (found) return found;
    await endCall(database, call, { state: 'refused' }, now());
    throw error;
  }
  if (error instanceof Unanswered && error.mayBeKept) return await endCall(database, call, { state: 'failed' }, now());
  throw error;
}

async function look<T extends { readonly id: string }>(ask: Ask<T>, call: ProviderCall): Promise<Answered<T> | null> {
  const made = await ask.find(new Date(call.created_at));
  return made && { made, call };
}

/** Stores the attempt after `call`, under its own key. Throws when this request has made the most attempts (`asked`). */
async function beginNext<T extends { readonly id: string }>(
  { database, now }: Context,
  ask: Ask<T>,
  call: ProviderCall,
  asked: number,
): Promise<ProviderCall> {
  if (asked === mostAttempts) throw new Unanswered({ mayBeKept: true });
  const attempt = call.attempt + 1;
  return await beginCall(database, { ...firstCall(ask, keyOf(ask.keyName, attempt), now()), attempt });
}

export interface Expiring<T> {
  readonly purpose: ProviderPurpose;
  readonly reference: string;
  readonly keyName: string;
  readonly latest: ProviderCall | null;
  readonly make: (key: string) => Promise<T>;
}

/** As {@link askProvider}, but after an error that may be kept, a new attempt is made at once: a duplicate is harmless and expires. */
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
