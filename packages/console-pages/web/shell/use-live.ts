import type { Change } from '@corner/console-api';
import { useEffect, useState } from 'react';
import { type Followed, type ReadAgainFor, refreshFor } from '../logic/stale.ts';
import { publishChange, publishReset } from './changes.ts';
import { queries } from './queries.ts';

/** Whether changes arrive: `connecting` at first, and `lost` while the browser tries to come back. */
export type LiveState = 'off' | 'connecting' | 'live' | 'lost';

/** How long changes are gathered before their queries are read again. */
const gatherMs = 40;
const comeBackMs = 3_000;

/**
 * Follows the changes of a store, or of everything when there is none, and reads again the queries they concern (`readAgainFor` of `useRead`).
 * The frame calls it for all pages. A hidden tab is not connected, since a browser allows few connections to one host; it reads everything again
 * when it is looked at.
 */
export function useLive(storeId: string | undefined, enabled: boolean): LiveState {
  const [state, setState] = useState<LiveState>('off');
  useEffect(() => {
    if (!enabled) return setState('off');
    let source: EventSource | undefined;
    let mayHaveMissed = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    const gathered = gatherer();
    const close = () => {
      clearTimeout(again);
      source?.close();
    };
    const connect = () => {
      close();
      if (document.hidden) {
        mayHaveMissed = true;
        return setState('connecting');
      }
      if (mayHaveMissed) void queries.invalidateQueries();
      mayHaveMissed = false;
      source = new EventSource(storeId === undefined ? '/api/live' : `/api/live?store_id=${encodeURIComponent(storeId)}`);
      source.onopen = () => setState('live');
      source.onerror = () => {
        setState('lost');
        // The browser comes back by itself unless the server refused; then this does, and may have missed changes.
        if (source?.readyState !== EventSource.CLOSED) return;
        mayHaveMissed = true;
        again = setTimeout(connect, comeBackMs);
      };
      source.addEventListener('change', ({ data }) => {
        const change = JSON.parse(data as string) as Change;
        publishChange(change);
        gathered.add(change);
      });
      source.addEventListener('reset', readEverything);
    };
    setState('connecting');
    connect();
    document.addEventListener('visibilitychange', connect);
    return () => {
      document.removeEventListener('visibilitychange', connect);
      close();
      gathered.stop();
    };
  }, [storeId, enabled]);
  return state;
}

/** Changes may have been missed. */
function readEverything(): void {
  publishReset();
  void queries.invalidateQueries();
}

/** Gathers changes for a moment, then reads again what they concern. */
function gatherer(): { add(change: Change): void; stop(): void } {
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
