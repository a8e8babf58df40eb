import { CornerError, type CornerErrorCode } from '@corner/client';
import { Link } from 'wouter-preact';
import { Page } from '../../shell/page.tsx';
import { lastStoreCode, useStore } from '../../shell/use-store.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StampCard, useCard, Vouchers } from '../card/index.ts';
import { MarketingAsk } from '../me/index.ts';
import type { TapOutcome } from './taps.ts';
import { isOffline, useTap } from './use-tap.ts';

export default function TapPage() {
  const { tap: texts } = useTexts();
  const { tap, outcome, error, noStore, again } = useTap();
  const code = (outcome && outcome.kind !== 'refused' ? outcome.store_code : null) ?? codeOf(tap?.store) ?? lastStoreCode();
  if (!tap)
    return (
      <Page title={texts.none} code={code}>
        <p>{texts.noneHint}</p>
      </Page>
    );
  if (noStore)
    return (
      <Page title={texts.refused} code={code}>
        <Notice kind="warning">{texts.whichShop}</Notice>
      </Page>
    );
  if (outcome?.kind === 'refused') return <Refused code={code} problem={outcome.code} />;
  if (outcome) return <Collected key={outcome.stamp_id} code={code} outcome={outcome} />;
  if (isOffline(error)) return <Kept code={code} again={again} />;
  return (
    <Page key="working" title={texts.working} code={code}>
      {error === undefined ? (
        <>
          <p>{texts.workingHint}</p>
          <Skeleton lines={3} />
        </>
      ) : (
        <ErrorNotice error={error} again={again} />
      )}
    </Page>
  );
}

const codeOf = (store: string | null | undefined): string | undefined => (store && store.length <= 32 ? store : undefined);

function Kept({ code, again }: { readonly code: string | undefined; readonly again: () => void }) {
  const { tap: texts, shell } = useTexts();
  return (
    <Page key="kept" title={texts.offline} code={code}>
      <p>{texts.offlineHint}</p>
      <Button onClick={again}>{shell.tryAgain}</Button>
    </Page>
  );
}

function Refused({ code, problem }: { readonly code: string | undefined; readonly problem: string }) {
  const { tap: texts } = useTexts();
  return (
    <Page key="refused" title={texts.refused} code={code}>
      <ErrorNotice error={new CornerError({ code: problem as CornerErrorCode, status: 409, message: problem })} />
      <ToCard code={code} />
    </Page>
  );
}

function Collected({ code, outcome }: { readonly code: string | undefined; readonly outcome: Exclude<TapOutcome, { kind: 'refused' }> }) {
  const { tap: texts } = useTexts();
  const { kind, store_id, voucher_earned: earned } = outcome;
  const { card } = useCard(store_id);
  const { store } = useStore(code ?? '');
  const hint = { counts: null, waits: waitsFor(outcome.reason, texts), 'too soon': texts.tooSoonHint }[kind];
  const title = { counts: earned ? texts.reward : texts.counts, waits: texts.waits, 'too soon': texts.tooSoon }[kind];
  const goal = outcome.goal || card?.goal || 0;
  const count = earned ? goal : outcome.count;
  return (
    <Page title={title} code={code}>
      {earned ? <Confetti /> : null}
      {hint === null ? null : <p>{hint}</p>}
      {goal > 0 ? (
        <StampCard
          name={store?.name ?? ''}
          count={count}
          goal={goal}
          reward={card?.reward_name ?? ''}
          look={card?.look ?? null}
          fresh={kind === 'counts'}
        />
      ) : null}
      {earned && store && card ? <Vouchers store={store} card={card} /> : null}
      <ToCard code={code} />
      {kind === 'counts' && store ? <MarketingAsk storeId={store_id} shop={store.name} /> : null}
    </Page>
  );
}

const waitsFor = (reason: string | null, texts: ReturnType<typeof useTexts>['tap']): string =>
  reason === 'shared_device' ? texts.sharedDevice : reason === 'late' ? texts.late : texts.waitsHint;

function ToCard({ code }: { readonly code: string | undefined }) {
  const { tap: texts } = useTexts();
  if (code === undefined) return null;
  const home = `/s/${encodeURIComponent(code)}`;
  return (
    <div class="actions">
      <Link href={`${home}/card`} class="button">
        {texts.toCard}
      </Link>
      <Link href={home} class="button quiet">
        {texts.toMenu}
      </Link>
    </div>
  );
}

const pieces = 24;

const Confetti = () => (
  <div class="confetti" aria-hidden="true">
    {Array.from({ length: pieces }, (_, piece) => (
      <span key={piece} style={{ '--at': `${(piece * 37) % 100}%`, '--late': `${(piece % 7) * 90}ms`, '--hue': `${(piece * 67) % 360}` }} />
    ))}
  </div>
);
