import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useRead } from '../../session/use-read.ts';
import { useClient } from '../../session/use-session.ts';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Row } from '../../ui/row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useTrying } from '../../ui/use-trying.ts';
import { type CardEntry, describeEntry, signed } from './history-texts.ts';
import type { OwnCard } from './look.ts';

const pageOf = 20;
const path = '/api/v1/loyalty/mine/{store_id}/history';

export function History({ store, card }: { readonly store: Store; readonly card: OwnCard }) {
  const { card: texts } = useTexts();
  const client = useClient();
  const options = (before?: string) => ({
    params: { path: { store_id: store.id }, query: { limit: pageOf, ...(before === undefined ? {} : { before }) } },
  });
  const { data, error, again } = useRead(path, options(), { keep: true });
  const [older, setOlder] = useState<readonly CardEntry[]>([]);
  const { busy, failed, trying } = useTrying();
  const state = [card.stamp_count, card.owed, card.pending, card.active_vouchers.length].join();
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state) again();
    before.current = state;
  }, [state]);

  const first = data?.entries ?? [];
  const lastOfFirst = first.at(-1)?.id;
  // A new entry shifts the pages: the older ones may no longer follow on.
  useEffect(() => setOlder([]), [lastOfFirst]);
  const all = [...first, ...older];
  const last = all.at(-1);
  const readOlder = () =>
    trying(async () => {
      const { data: page } = await client.GET(path, options(last?.id));
      setOlder([...older, ...page.entries]);
      setEnded(page.entries.length < pageOf);
    });
  const [ended, setEnded] = useState(false);
  if (!data) return error === undefined ? <Skeleton lines={3} /> : <ErrorNotice error={error} again={again} />;
  if (all.length === 0) return null;
  return (
    <section class="part">
      <h2>{texts.history}</h2>
      <ul class="rows">
        {all.map((entry) => (
          <Entry key={`${entry.id} ${entry.kind}`} entry={entry} store={store} card={card} />
        ))}
      </ul>
      {failed === undefined ? null : <ErrorNotice error={failed} />}
      {first.length === pageOf && !ended ? (
        <Button busy={busy} onClick={readOlder}>
          {texts.older}
        </Button>
      ) : null}
    </section>
  );
}

function Entry({ entry, store, card }: { readonly entry: CardEntry; readonly store: Store; readonly card: OwnCard }) {
  const texts = useTexts();
  const { dayAndTime } = useFormat();
  const { title, detail } = describeEntry(entry, texts);
  const at = card.stores.length > 1 ? card.stores.find(({ id }) => id === entry.store_id)?.name : undefined;
  const below = [detail, dayAndTime(entry.at, store.time_zone), at].filter(Boolean).join(' · ');
  return (
    <Row
      title={entry.order_id === null ? title : <Link href={`/orders/${entry.order_id}`}>{title}</Link>}
      detail={below}
      after={
        entry.change === 0 ? undefined : (
          <span class={`change ${entry.change < 0 ? 'lost' : ''}`}>
            {signed(entry.change)}
            <span class="only-read-out">, {texts.card.leaves(entry.count_after)}</span>
          </span>
        )
      }
    />
  );
}
