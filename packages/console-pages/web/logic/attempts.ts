import { mayBeDone } from './refusal.ts';

/** An attempt with an unknown outcome. */
interface Unanswered {
  /** The id of its subject: an order, an entry of the queue. */
  readonly of: string;
  /** The action. */
  readonly what: string;
  readonly key: string;
}

/** The storage of unanswered attempts, which a page that is loaded again reads: sessionStorage. */
export type Kept = Pick<Storage, 'getItem' | 'setItem'>;

const name = 'unanswered-attempts';
/** More are not kept: the oldest is forgotten. */
const most = 50;

/**
 * Returns a function that runs an action with an idempotency key. While it is not known whether the action was done, the same action gets the
 * same key: after a lost response a press repeats it, and a press during the request waits for its response. After a success, a refusal or
 * another action on the same subject, the next press gets a new key. With `kept` this holds after a reload too; `of` and `what` are then stored,
 * so neither may be personal data.
 */
export function createAttempts(kept?: Kept) {
  let unanswered = read(kept);
  const set = (next: readonly Unanswered[]): void => {
    unanswered = next.slice(-most);
    kept?.setItem(name, JSON.stringify(unanswered));
  };
  const forget = (key: string): void => set(unanswered.filter((other) => other.key !== key));

  const sent = new Map<string, Promise<unknown>>();
  const send = async <T>(key: string, act: (key: string) => Promise<T>): Promise<T> => {
    try {
      const result = await Promise.resolve(key).then(act);
      forget(key);
      return result;
    } catch (error) {
      if (!mayBeDone(error)) forget(key);
      throw error;
    } finally {
      sent.delete(key);
    }
  };

  return function attempt<T>(of: string, act: (key: string) => Promise<T>, what = ''): Promise<T> {
    const before = unanswered.find((other) => other.of === of && other.what === what);
    const key = before?.key ?? newKey();
    const running = sent.get(key);
    if (running !== undefined) return running as Promise<T>;
    set([...unanswered.filter((other) => other.of !== of), { of, what, key }]);
    const response = send(key, act);
    sent.set(key, response);
    return response;
  };
}

function read(kept: Kept | undefined): readonly Unanswered[] {
  try {
    const value: unknown = JSON.parse(kept?.getItem(name) ?? '[]');
    return Array.isArray(value) ? value.filter(isUnanswered) : [];
  } catch {
    return [];
  }
}

const isUnanswered = (value: Partial<Unanswered> | null): value is Unanswered =>
  [value?.of, value?.what, value?.key].every((field) => typeof field === 'string');

/** A new Idempotency-Key: one for each action of a person, the same one when that action is tried again. */
export const newKey = (): string => crypto.randomUUID();
