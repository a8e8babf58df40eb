import { useRead } from '../../session/use-read.ts';
import { Page } from '../../shell/page.tsx';
import { type Store, useStore } from '../../shell/use-store.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Bookings } from './bookings.tsx';
import { Called } from './called.tsx';
import { JoinForm } from './join-form.tsx';
import { Ended, Seated, Waiting } from './place.tsx';
import { usePlace } from './use-place.ts';

export default function QueuePage({ code }: { readonly code: string }) {
  const { queue: texts, shell } = useTexts();
  const { store, error, again } = useStore(code);
  if (store) return <StoreQueue code={code} store={store} />;
  return (
    <Page title={texts.title} code={code}>
      {store === null ? (
        <Notice kind="warning">{shell.noSuchShop}</Notice>
      ) : error === undefined ? (
        <Skeleton lines={4} />
      ) : (
        <ErrorNotice error={error} again={again} />
      )}
    </Page>
  );
}

function StoreQueue({ code, store }: { readonly code: string; readonly store: Store }) {
  const { queue: texts, shell } = useTexts();
  const { place, end, holdMinutes, forget, ...own } = usePlace(store.id);
  const queue = useRead('/api/v1/queue/stores/{store_id}', { params: { path: { store_id: store.id } } }, { keep: true });
  const error = own.error ?? queue.error;
  const shown = place !== undefined && queue.data !== undefined;
  return (
    <Page title={place ? texts.place : texts.title} code={code}>
      {(own.offline || queue.offline) && shown ? <Notice>{shell.offline}</Notice> : null}
      {!shown ? error === undefined ? <Skeleton lines={4} /> : <ErrorNotice error={error} again={() => again()} /> : null}
      {place === null && queue.data ? <JoinForm store={store} queue={queue.data} joined={own.again} /> : null}
      {place?.status === 'waiting' ? <Waiting store={store} place={place} end={end} changed={own.again} /> : null}
      {place?.status === 'called' ? <Called store={store} place={place} holdMinutes={holdMinutes} changed={own.again} /> : null}
      {place?.status === 'assigned' ? <Seated /> : null}
      {place === null && queue.data && queue.data.services.length > 0 ? <Bookings store={store} queue={queue.data} /> : null}
      {place && isOver(place.status) ? <Ended status={place.status} forget={forget} /> : null}
    </Page>
  );

  function again() {
    own.again();
    queue.again();
  }
}

type Over = keyof ReturnType<typeof useTexts>['queue']['ended'];
const over: readonly string[] = ['completed', 'left', 'no_show', 'converted_to_appointment'] satisfies readonly Over[];
const isOver = (status: string): status is Over => over.includes(status);
