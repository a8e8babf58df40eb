import type { SignInAsked, SignInBegun, SignInConfirmed } from '@corner/console-api';
import { kept, readJson, writeJson } from '@corner/page-kit/browser/storage';
import { session } from './corner.ts';
import { forgetReadsOf } from './kept-reads.ts';

const name = 'corner.sign-in';
const longestMs = 600_000;

interface Begun {
  readonly asked: SignInAsked;
  readonly until: number;
  readonly to: string;
}

/** The provider refused the sign-in, or its reply belongs to none that this browser began recently. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
}

export async function beginSignIn(to: string): Promise<void> {
  const { url, asked } = await post<SignInBegun>('/sign-in', {});
  writeJson(kept, name, { asked, to, until: Date.now() + longestMs } satisfies Begun);
  location.assign(url);
}

/**
 * Each return counts once, so that the back button repeats none. Returns the next path, and whether the guest joined the account. Throws
 * {@link NotSignedIn}.
 */
export async function finishSignIn(search: string): Promise<{ readonly to: string; readonly guest: 'joined' | 'kept' | 'ended' | null }> {
  const begun = readJson(kept, name) as Begun | undefined;
  kept.removeItem(name);
  const isOurs = begun?.asked.state === new URLSearchParams(search).get('state');
  if (!begun || !isOurs || begun.until < Date.now()) throw new NotSignedIn('no sign-in of this browser');
  const { id_token } = await post<SignInConfirmed>('/sign-in/finish', { search, asked: begun.asked });
  const before = session.customerId();
  const guest = await session.signIn(id_token);
  if (before !== null && before !== session.customerId()) forgetReadsOf(kept, before);
  return { to: begun.to, guest };
}

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status >= 400 && response.status < 500) throw new NotSignedIn(`the server replied ${response.status}`);
  if (!response.ok) throw new Error(`the server replied ${response.status}`);
  return (await response.json()) as T;
}
