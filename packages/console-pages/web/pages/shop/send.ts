import { createAttempts } from '@corner/page-kit/browser/attempts';
import { type Body, type Call, filled, type Parameters, type Reply } from '../../logic/platform.ts';
import { RequestFailed } from '../../logic/refusal.ts';
import { type Sent as Request, request } from '../../shell/request.ts';

/** Shared by all pages, so that a press after a lost response repeats the action even on a page that was opened again. */
const attempt = createAttempts();

type Change = Exclude<Call, `GET ${string}`>;
type Bodied<C extends Change> = Body<C> extends undefined ? { readonly body?: undefined } : { readonly body: Body<C> };
type Addressed<C extends Change> =
  Record<never, never> extends Parameters<C> ? { readonly at?: Parameters<C> } : { readonly at: Parameters<C> };

interface HowToSend {
  readonly of: string;
  readonly keyField?: string;
  readonly key?: string | undefined;
  readonly match?: number;
}

export type Sent<C extends Change> = HowToSend & Bodied<C> & Addressed<C>;

/** Throws RequestFailed. */
export function send<C extends Change>(call: C, { at, ...sent }: Sent<C>): Promise<Reply<C>> {
  const [method, path = ''] = call.split(' ') as [Method, string];
  return sendTo(method, filled(path, (at ?? {}) as Record<string, string>), sent as HowToSend & { readonly body?: unknown });
}

export const sendToVersion = <C extends Change>(match: number, call: C, sent: Sent<C>): Promise<Reply<C>> =>
  send(call, { ...sent, match }).catch((error: unknown) => {
    if (!(error instanceof RequestFailed) || error.code !== 'VERSION_CONFLICT') throw error;
    throw new RequestFailed(error.status, error.code, 'Another person has changed it meanwhile. Look at it again.', error.requestId);
  });

/** Sends the previous key while it is unknown whether the same change was made then. */
export function sendTo<T>(method: Method, address: string, { of, body, keyField, key, match }: HowToSend & { readonly body?: unknown }) {
  const sendWith = (used: string) =>
    request<T>(address, { method, body: keyField ? { ...(body as object), [keyField]: used } : body, key: used, match });
  return key === undefined ? attempt(of, sendWith, `${method} ${address} ${match ?? ''} ${JSON.stringify(body)}`) : sendWith(key);
}

type Method = NonNullable<Request['method']>;
