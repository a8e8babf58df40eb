import { mayBeDone } from '../logic/refusal.ts';
import { newKey } from './request.ts';

/** An attempt whose outcome is not known. */
interface Unanswered {
  /** What it is about: an order, a place in the queue. */
  readonly of: string;
  /** What was to be done to it. */
  readonly what: string;
  readonly key: string;
}

/** Where unanswered attempts are kept, so that a page that is loaded again knows them: sessionStorage. */
export type Kept = Pick<Storage, 'getItem' | 'setItem'>;

const name = 'unanswered-attempts';
/** More are not kept: the oldest is forgotten. */
const most = 50;

/**
 * Keys of what people do. The same thing done again has the key of the time before as long as it is not known whether that was done: after a
 * lost response the press of a button repeats it, and a press while it is being sent waits for that response. After a success or a refusal, or when another thing was done to the same since, the next
 * press does it anew. With `kept` this is so after the page is loaded again, too: it then holds `of`, `what` and the keys, so neither may be
 * personal data.
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
