import type { KeptHead, QueueLook } from '@corner/contracts/verify-queue';
import { kept } from '@corner/page-kit/browser/storage';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useClient } from '../../session/use-session.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Place } from './use-place.ts';
import { keepEnd, readEnds, type Verdict, watchQueue } from './watch-queue.ts';

interface UnseenMovesProps {
  readonly place: Place;
  /** The end of the queue's changes, as it was shown with the place. Undefined when none was shown. */
  readonly end: KeptHead | undefined;
  readonly timeZone: string;
}

/** One line that says whether anyone was moved before this place unseen. The phone verifies it; without https it cannot. */
export function UnseenMoves({ place, end, timeZone }: UnseenMovesProps) {
  const { queue: texts } = useTexts();
  const { time } = useFormat();
  const checked = useChecked(place, end);
  if (!globalThis.crypto.subtle) return null;
  if (!checked) return <p class="hint">{texts.notChecked}</p>;
  const { verdict, at } = checked;
  if (verdict.fits) return <p class="hint">{texts.checked(time(at, timeZone))}</p>;
  return (
    <Notice kind="warning" title={texts.changedUnseen}>
      <p>{texts.unfitting(verdict.row)}</p>
      {verdict.byRule === null ? null : <p>{texts.byRule(verdict.byRule, verdict.shown)}</p>}
    </Notice>
  );
}

interface Checked {
  readonly verdict: Verdict;
  readonly at: string;
}

/** Looks whenever the end or the position that the queue shows has changed; null before the first look. */
function useChecked({ entry_id, queue_position }: Place, end: KeptHead | undefined): Checked | null {
  const client = useClient();
  const look = useRef<QueueLook | null>(null);
  const [checked, setChecked] = useState<Checked | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const read = async (after: number) =>
      (await client.GET('/api/v1/queue/chain', { params: { query: { entry_id, after } }, signal })).data;
    const check = async () => {
      const shown = [...readEnds(kept, entry_id, Date.now()), ...(end ? [end] : [])];
      if (shown.length === 0) return;
      const watched = await watchQueue(read, look.current, shown);
      if (signal.aborted) return;
      look.current = watched.look;
      if (watched.verdict.fits && watched.look?.head) keepEnd(kept, entry_id, watched.look.head, Date.now());
      setChecked({ verdict: watched.verdict, at: new Date().toISOString() });
    };
    // Without a reply the last look stays, with its time.
    if (globalThis.crypto.subtle) void check().catch(() => {});
    return () => controller.abort();
  }, [entry_id, end?.number, end?.hash, queue_position]);
  return checked;
}
