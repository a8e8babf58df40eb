import type { components } from '@corner/client';
import { useState } from 'preact/hooks';
import { useRead } from '../../session/use-read.ts';
import { useClient } from '../../session/use-session.ts';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { AskSheet } from '../../ui/ask-sheet.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { useTrying } from '../../ui/use-trying.ts';
import type { StoreQueue } from './choices.ts';
import { ChooseTime } from './choose-time.tsx';
import { Deposit } from './deposit.tsx';

type Booking = components['schemas']['SessionBooking'];

interface BookingsProps {
  readonly store: Store;
  readonly queue: StoreQueue;
}

export function Bookings({ store, queue }: BookingsProps) {
  const { queue: texts } = useTexts();
  const own = useRead('/api/v1/queue/bookings', { params: { query: { store_id: store.id } } });
  const [booking, setBooking] = useState(false);
  const ahead = (own.data?.bookings ?? []).filter(({ status }) => status === 'booked' || status === 'requested').toReversed();
  return (
    <section class="part">
      <h2>{texts.bookings}</h2>
      {ahead.map((one) => (
        <OneBooking key={one.appointment_id} store={store} booking={one} changed={own.again} />
      ))}
      {booking ? (
        <ChooseTime
          store={store}
          queue={queue}
          moved={null}
          done={() => {
            setBooking(false);
            own.again();
          }}
        />
      ) : (
        <Button onClick={() => setBooking(true)}>{texts.book}</Button>
      )}
    </section>
  );
}

interface OneBookingProps {
  readonly store: Store;
  readonly booking: Booking;
  readonly changed: () => void;
}

function OneBooking({ store, booking, changed }: OneBookingProps) {
  const { queue: texts } = useTexts();
  const { day, time } = useFormat();
  const client = useClient();
  const [asking, setAsking] = useState(false);
  const [moving, setMoving] = useState(false);
  const { busy, failed, trying } = useTrying();
  const { appointment_id, starts_at, service_name, unit_name, status, changes_until, waitlist, deposit } = booking;
  const path = { path: { appointment_id } };
  const body = { store_id: store.id };
  const isOpen = changes_until !== null && Date.parse(changes_until) > Date.now();
  const cancel = () =>
    trying(async () => {
      await client.POST('/api/v1/queue/bookings/{appointment_id}/cancel', { params: path, body });
      setAsking(false);
      changed();
    });
  const accept = () =>
    trying(async () => {
      await client.POST('/api/v1/queue/bookings/{appointment_id}/accept', { params: path, body });
    }).finally(changed);
  return (
    <article class="place">
      <h3>{texts.bookedAt(day(starts_at, store.time_zone), time(starts_at, store.time_zone))}</h3>
      <p class="place-wait">{[service_name, unit_name].filter(Boolean).join(' · ')}</p>
      {waitlist ? (
        <Notice>{waitlist.offer_until ? texts.offered(time(waitlist.offer_until, store.time_zone)) : texts.inLine(waitlist.place)}</Notice>
      ) : status === 'requested' && deposit?.state !== 'due' ? (
        <Notice>{texts.requested}</Notice>
      ) : null}
      {deposit ? <Deposit store={store} deposit={deposit} /> : null}
      {waitlist?.offer_until ? (
        <Button busy={busy} onClick={() => void accept()}>
          {texts.accept}
        </Button>
      ) : null}
      {isOpen && booking.places === 1 && deposit?.state !== 'due' ? <Button onClick={() => setMoving(!moving)}>{texts.move}</Button> : null}
      {isOpen ? (
        <Button kind="danger" onClick={() => setAsking(true)}>
          {waitlist ? texts.leaveList : texts.cancel}
        </Button>
      ) : (
        <p class="hint">{texts.noticePassed}</p>
      )}
      {moving ? (
        <ChooseTime
          store={store}
          queue={null}
          moved={booking}
          done={() => {
            setMoving(false);
            changed();
          }}
        />
      ) : null}
      {asking ? (
        <AskSheet
          title={waitlist ? texts.leaveListAsk : texts.cancelAsk}
          hint={waitlist ? texts.leaveListHint : deposit?.state === 'paid' ? texts.cancelHintDeposit : texts.cancelHint}
          yes={waitlist ? texts.leaveList : texts.cancel}
          no={waitlist ? texts.stayInLine : texts.keepBooking}
          {...{ busy, failed }}
          onYes={cancel}
          onClose={() => setAsking(false)}
        />
      ) : null}
      {failed === undefined || asking ? null : <ErrorNotice error={failed} />}
    </article>
  );
}
