import { mayBeDone } from '../logic/refusal.ts';
import { newKey } from './request.ts';

/**
 * Keys of what people do. The same thing done again has the key of the time before as long as it is not known whether that was done: after a
 * lost response the press of a button repeats it, and after a success or a refusal the next press does another.
 */
export function createAttempts() {
  const unknown = new Map<string, string>();
  const forget = (what: string, key: string): void => {
    if (unknown.get(what) === key) unknown.delete(what);
  };
  return async function attempt<T>(what: string, act: (key: string) => Promise<T>): Promise<T> {
    const key = unknown.get(what) ?? newKey();
    unknown.set(what, key);
    try {
      const result = await act(key);
      forget(what, key);
      return result;
    } catch (error) {
      if (!mayBeDone(error)) forget(what, key);
      throw error;
    }
  };
}
