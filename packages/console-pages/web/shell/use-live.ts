import type { Change } from '@corner/console-api';
import { useEffect, useRef, useState } from 'react';
import { type Followed, type ReadAgainFor, refreshFor } from '../logic/stale.ts';
import { storeChanges } from './changes.ts';
import { followLive, type LiveState } from './follow-live.ts';
import { queries, readAgain } from './queries.ts';

const gatherMs = 40;

/**
 * Reads again the queries that a change concerns (`readAgainFor` of `useRead`); all changes without a store. A hidden tab is not connected
 * unless its page stays connected, since a browser allows few connections to one host; it reads again when it is shown.
 */
export function useLive(storeId: string | undefined, enabled: boolean, staysConnected: boolean): LiveState {
  const stays = useRef(staysConnected);
  stays.current = staysConnected;
  const [state, setState] = useState<LiveState>(enabled ? 'connecting' : 'off');
  useEffect(() => {
    if (!enabled) return setState('off');
    const gathered = gatherer();
    const path = storeId === undefined ? '/api/live' : `/api/live?store_id=${encodeURIComponent(storeId)}`;
    const { connect, close } = followLive({
      open: () => (document.hidden && !stays.current ? undefined : new EventSource(path)),
      state: setState,
      changed(change) {
        storeChanges.notify(change);
        gathered.add(change);
      },
      missed() {
        storeChanges.notify(null);
        gathered.addAll();
      },
      refused: () => void readAgain('/api/me'),
    });
    setState('connecting');
    connect();
    const shownOrHidden = () => {
      if (!stays.current) connect();
    };
    document.addEventListener('visibilitychange', shownOrHidden);
    return () => {
      document.removeEventListener('visibilitychange', shownOrHidden);
      close();
      gathered.stop();
    };
  }, [storeId, enabled]);
  return state;
}

function gatherer(): { add(change: Change): void; addAll(): void; stop(): void } {
  let changes: Change[] = [];
  let later: ReadonlySet<string> = new Set();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    const refresh = refreshFor(changes, later, followed());
    changes = [];
    later = refresh.later;
    for (const queryHash of refresh.now)
      void queries.invalidateQueries({ predicate: (query) => query.queryHash === queryHash }, { cancelRefetch: false });
    if (later.size > 0) schedule();
  };
  const schedule = () => {
    timer ??= setTimeout(flush, gatherMs);
  };
  return {
    add(change) {
      changes.push(change);
      schedule();
    },
    addAll() {
      later = new Set(followed().flatMap(({ key, readAgainFor }) => (readAgainFor ? [key] : [])));
      schedule();
    },
    stop: () => clearTimeout(timer),
  };
}

const followed = (): readonly Followed[] =>
  queries
    .getQueryCache()
    .getAll()
    .map(({ queryHash, meta, state }) => ({
      key: queryHash,
      readAgainFor: meta?.readAgainFor as ReadAgainFor | undefined,
      fetching: state.fetchStatus === 'fetching',
    }));
