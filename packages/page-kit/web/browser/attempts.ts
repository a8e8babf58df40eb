import { outcomeOf } from '@corner/client';
import { keptList } from './kept-list.ts';
import { type Kept, keptIn } from './storage.ts';

/** An attempt with an unknown outcome. `of` is the id of its subject, such as an order; `what` is the action. */
interface Unanswered {
  readonly of: string;
  readonly what: string;
  readonly key: string;
}

const name = 'unanswered-attempts';
const most = 50;

/**
 * Returns a function that runs an action with an idempotency key. While it is unknown whether the action was done, the same action gets the
 * same key: after a lost response a press repeats it, and a press during the request waits for its response. After a success, a refusal or
 * another action on the same subject, the next press gets a new key. With a tab’s storage this holds after a reload too; `of` and `what`
 * are then stored, so neither may be personal data. At most 50 attempts are stored, the newest.
 */
export function createAttempts(storage: Pick<Kept, 'getItem' | 'setItem'> = keptIn(none)) {
  const unanswered = keptList<Unanswered>(storage, name, most, isUnanswered);
  const without = (isLeftOut: (other: Unanswered) => boolean) => unanswered.read().filter((other) => !isLeftOut(other));
  const forget = (key: string): void => unanswered.write(without((other) => other.key === key));

  const sent = new Map<string, Promise<unknown>>();
  const send = async <T>(key: string, act: (key: string) => Promise<T>): Promise<T> => {
    try {
      const result = await Promise.resolve(key).then(act);
      forget(key);
      return result;
    } catch (error) {
      if (outcomeOf(error) === 'refused') forget(key);
      throw error;
    } finally {
      sent.delete(key);
    }
  };

  return function attempt<T>(of: string, act: (key: string) => Promise<T>, what = ''): Promise<T> {
    const before = unanswered.read().find((other) => other.of === of && other.what === what);
    const key = before?.key ?? newKey();
    const running = sent.get(key);
    if (running !== undefined) return running as Promise<T>;
    unanswered.write([{ of, what, key }, ...without((other) => other.of === of)]);
    const response = send(key, act);
    sent.set(key, response);
    return response;
  };
}

const none = (): never => {
  throw new Error('nothing is kept');
};

const isUnanswered = (value: Partial<Unanswered> | null): boolean =>
  [value?.of, value?.what, value?.key].every((field) => typeof field === 'string');

/** A new Idempotency-Key, for one action of a person and its repeats. */
export const newKey = (): string => crypto.randomUUID();
