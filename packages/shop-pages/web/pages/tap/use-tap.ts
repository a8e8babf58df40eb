import { CornerError } from '@corner/client';
import { withLock } from '@corner/page-kit/browser/lock';
import { kept } from '@corner/page-kit/browser/storage';
import { useEffect, useState } from 'preact/hooks';
import { useClient } from '../../session/use-session.ts';
import { collectStamp, keepTap, lastTap, type Tap, type TapOutcome } from './taps.ts';

/**
 * `tap` is undefined when no tag was tapped. `outcome` is null until the shop has decided. `error` is why that is unknown; undefined while
 * it is loading. `noStore`: the tag names no known store.
 */
export interface TapState {
  readonly tap: Tap | undefined;
  readonly outcome: TapOutcome | null;
  readonly error: unknown;
  readonly noStore: boolean;
  readonly again: () => void;
}

/**
 * Removes the tap from the address, so that it is neither in the history nor in a shared link, and gets its stamp. A reloaded page shows
 * the outcome of the last tap. Tries again when the connection returns.
 */
export function useTap(): TapState {
  const client = useClient();
  const [tap] = useState(takeTap);
  const [outcome, setOutcome] = useState(tap?.outcome ?? null);
  const [error, setError] = useState<unknown>();
  const [noStore, setNoStore] = useState(false);
  const [round, setRound] = useState(0);
  const again = () => setRound((before) => before + 1);
  useEffect(() => {
    if (!tap || outcome) return;
    setError(undefined);
    void (async () => {
      try {
        const storeId = await findStore(client, tap.store);
        if (storeId === undefined) setNoStore(true);
        else setOutcome(await collectStamp(tap, storeId, { client, storage: kept, lock: withLock, now: Date.now }));
      } catch (thrown) {
        setError(thrown);
      }
    })();
  }, [round]);
  useEffect(() => {
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, []);
  return { tap, outcome, error, noStore, again };
}

function takeTap(): Tap | undefined {
  const tap = keepTap(location.search);
  if (tap) history.replaceState(null, '', location.pathname);
  return tap ?? lastTap();
}

const isId = (store: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(store);

async function findStore(client: ReturnType<typeof useClient>, store: string | null): Promise<string | undefined> {
  if (store !== null && isId(store)) return store.toLowerCase();
  const query = store === null ? { limit: 2 } : { code: store };
  const { stores } = (await client.GET('/api/v1/orders/stores', { params: { query } })).data;
  return store === null && stores.length > 1 ? undefined : stores[0]?.id;
}

export const isOffline = (error: unknown): boolean => error instanceof CornerError && error.code === 'UNREACHABLE';
