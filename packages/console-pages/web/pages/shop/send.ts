import { createAttempts } from '@corner/page-kit/browser/attempts';
import { request } from '../../shell/request.ts';

/** The fields of a query, without those that are undefined. */
export const query = (fields: Readonly<Record<string, string | number | undefined>>): string =>
  new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))).toString();

/** Shared by all pages, so that a press after a lost response repeats the action even on a page that was opened again. */
const attempt = createAttempts();

export interface Sent {
  /** The id of what is changed. */
  readonly of: string;
  readonly method?: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** The field of the body that also takes the key: the service keeps it for ever. */
  readonly keyField?: string;
  /** For an action whose attempts its dialog counts. */
  readonly key?: string | undefined;
  /** The version of the object that the change is made to. */
  readonly match?: number;
}

/** Sends a change to the platform, with the key of the time before when it is not known whether the same change was made then. */
export const send = <T>({ of, method = 'POST', path, body, keyField, key: given, match }: Sent): Promise<T> => {
  const sendWith = (key: string) => request<T>(path, { method, body: keyField ? { ...body, [keyField]: key } : body, key, match });
  return given === undefined ? attempt(of, sendWith, `${method} ${path} ${match ?? ''} ${JSON.stringify(body)}`) : sendWith(given);
};
