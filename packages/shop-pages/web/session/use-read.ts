import type { CornerClient } from '@corner/client';
import { kept } from '@corner/page-kit/browser/storage';
import { useEffect, useState } from 'preact/hooks';
import { corner, cornerStreams, session, whenSessionChanges } from './corner.ts';
import { keyOf, type ReadRequest, type ReadState, type SharedRead, shareRead } from './reads.ts';

type ReadPath = Parameters<CornerClient['GET']>[0];
type LivePath = Parameters<CornerClient['follow']>[0];
type Options<P extends ReadPath> = Omit<Extract<Parameters<typeof corner.GET<P>>[1], object>, 'previous' | 'signal'>;
type Data<P extends ReadPath> = Awaited<ReturnType<typeof corner.GET<P>>>['data'];

const livePaths: Readonly<Record<LivePath, true>> = {
  '/api/v1/orders/{orderId}/mine': true,
  '/api/v1/orders/stores/{store_id}/menu': true,
  '/api/v1/orders/stores/{store_id}/switches': true,
  '/api/v1/loyalty/mine': true,
  '/api/v1/queue/status': true,
  '/api/v1/queue/stores/{store_id}': true,
};

const usualMs = 60_000;
const reads = new Map<string, SharedRead>();

/**
 * `keep` stores the last reply, so that a visit without a connection shows it. `everyMs` is the time between two reads that cannot be
 * followed. `live` is false for approximate data, so that it holds no connection. `ahead`: the server lets the browser request the read
 * with the document, on the first visit.
 */
interface HowToRead {
  readonly keep?: boolean;
  readonly everyMs?: number;
  readonly live?: boolean;
  readonly ahead?: boolean;
}

export type Read<T> = ReadState<T> & { readonly again: () => void };

const nothing: ReadState<never> = { data: undefined, stale: false, error: undefined, offline: false, noCustomer: false };

/**
 * Reads an operation while the component is shown, and shows each change: followed where the interface allows it, otherwise read every
 * minute with its ETag. With null options, whose parameters are unknown, nothing is read. A hidden page reads nothing, and reads at once
 * when it is shown again. A read of a customer who does not exist yet is not sent: `noCustomer`.
 */
export function useRead<P extends ReadPath>(
  path: P,
  options: Options<P> | null,
  { keep = false, everyMs = usualMs, live = true, ahead = false }: HowToRead = {},
): Read<Data<P>> {
  const request = options && { path, options, keep, everyMs, ahead, live: live && Object.hasOwn(livePaths, path) };
  const key = request && keyOf(request as ReadRequest);
  const read = request && sharedRead(request as ReadRequest);
  const [, shown] = useState({});
  useEffect(() => {
    shown({});
    return read?.subscribe(() => shown({}));
  }, [key]);
  return { ...((read?.state() ?? nothing) as ReadState<Data<P>>), again: () => read?.again() };
}

function sharedRead(request: ReadRequest): SharedRead {
  const key = keyOf(request);
  const before = reads.get(key);
  if (before) return before;
  const read = shareRead(request, {
    client: { GET: corner.GET, follow: cornerStreams.follow },
    storage: kept,
    customerId: session.customerId,
    wait,
  });
  reads.set(key, read);
  return read;
}

/**
 * When the page is shown again, when the connection returns or changes (those of an old network may hang without an error), and when the
 * customer changes.
 */
export function keepReadsFresh(): void {
  const all = (act: 'again' | 'pause' | 'lose') => {
    for (const read of reads.values()) read[act]();
  };
  document.addEventListener('visibilitychange', () => all(document.hidden ? 'pause' : 'again'));
  addEventListener('online', () => all('again'));
  addEventListener('offline', () => all('lose'));
  const { connection } = navigator as { readonly connection?: EventTarget };
  connection?.addEventListener('change', () => document.hidden || all('again'));
  let customer = session.customerId();
  whenSessionChanges(() => {
    if (session.customerId() === customer) return;
    customer = session.customerId();
    all('again');
  });
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
