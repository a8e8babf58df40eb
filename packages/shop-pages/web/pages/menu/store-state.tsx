import { useEffect, useState } from 'preact/hooks';
import { openingAt } from '../../order/opening.ts';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Notice } from '../../ui/notice.tsx';

const minuteMs = 60_000;

export function StoreState({ store, table }: { readonly store: Store; readonly table: string | null }) {
  const { menu } = useTexts();
  const format = useFormat();
  const now = useMinute();
  const state = openingAt(store, now);
  const opening = state.open
    ? state.until === null
      ? menu.open
      : menu.openUntil(format.time(state.until, store.time_zone))
    : state.from === null
      ? menu.closed
      : menu.opensAt(format.day(state.from, store.time_zone, now), format.time(state.from, store.time_zone));
  return (
    <>
      <p class="store-state">
        <span class={state.open ? 'dot open' : 'dot'} aria-hidden="true" />
        {opening}
        {table === null ? null : <span class="table-tag">{menu.table(table)}</span>}
      </p>
      {store.takes_orders === 'none' && state.open ? <Notice kind="warning">{menu.paused}</Notice> : null}
      {store.takes_orders === 'scheduled' ? <Notice>{menu.scheduledOnly}</Notice> : null}
    </>
  );
}

function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
