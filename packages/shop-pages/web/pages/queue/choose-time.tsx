import type { components } from '@corner/client';
import { useId, useState } from 'preact/hooks';
import { useRead } from '../../session/use-read.ts';
import { useClient } from '../../session/use-session.ts';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/field.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useTrying } from '../../ui/use-trying.ts';
import { byDay } from './booking-days.ts';
import type { StoreQueue } from './choices.ts';
import { Classes } from './classes.tsx';

interface ChooseTimeProps {
  readonly store: Store;
  /** Null when a booking moves, which keeps its service. */
  readonly queue: StoreQueue | null;
  readonly moved: components['schemas']['SessionBooking'] | null;
  readonly done: () => void;
}

export function ChooseTime({ store, queue, moved, done }: ChooseTimeProps) {
  const { queue: texts } = useTexts();
  const format = useFormat();
  const client = useClient();
  const name = useId();
  const { busy, failed, trying } = useTrying();
  const [chosenService, setService] = useState<string>();
  const [chosenDay, setDay] = useState<string>();
  const serviceId = moved?.service_id ?? chosenService ?? queue?.services[0]?.id;
  const options = serviceId === undefined ? null : { params: { path: { store_id: store.id }, query: { service_id: serviceId, days: 14 } } };
  const { data, error, again } = useRead('/api/v1/queue/stores/{store_id}/times', options);
  const days = byDay(data?.times ?? [], (instant) => format.day(instant, store.time_zone));
  const classes = moved ? [] : (data?.classes ?? []);
  const day = days.find((one) => one.name === chosenDay) ?? days[0];
  const take = (starts_at: string) =>
    trying(async () => {
      const body = { store_id: store.id, starts_at };
      if (moved) {
        const params = { path: { appointment_id: moved.appointment_id } };
        await client.POST('/api/v1/queue/bookings/{appointment_id}/move', { params, body });
      } else await client.POST('/api/v1/queue/bookings', { body: { ...body, service_id: serviceId ?? null } });
      done();
    }).finally(again);
  return (
    <div class="join">
      {queue ? (
        <fieldset class="choices">
          <legend>{texts.service}</legend>
          {queue.services.map((one) => (
            <Choice
              key={one.id}
              type="radio"
              name={name}
              checked={one.id === serviceId}
              onChange={() => setService(one.id)}
              label={one.name}
              after={texts.minutes(one.minutes)}
            />
          ))}
        </fieldset>
      ) : null}
      {data === undefined ? error === undefined ? <Skeleton lines={2} /> : <ErrorNotice error={error} again={again} /> : null}
      {data && days.length + classes.length === 0 ? <Notice>{data.accepted ? texts.noTimes : texts.noBookings}</Notice> : null}
      {days.length > 1 ? (
        <fieldset class="choices">
          <legend>{texts.whichDay}</legend>
          {days.map((one) => (
            <Choice
              key={one.name}
              type="radio"
              name={`${name}-day`}
              checked={one === day}
              onChange={() => setDay(one.name)}
              label={one.name}
            />
          ))}
        </fieldset>
      ) : null}
      {day ? (
        <fieldset class="booking-times">
          <legend>{texts.whichTime(day.name)}</legend>
          {day.times.map((starts_at) => (
            <Button key={starts_at} busy={busy} onClick={() => void take(starts_at)}>
              {format.time(starts_at, store.time_zone)}
            </Button>
          ))}
        </fieldset>
      ) : null}
      {classes.length > 0 ? <Classes store={store} classes={classes} done={done} again={again} /> : null}
      {data ? <p class="hint">{texts.notice(data.notice_minutes)}</p> : null}
      {data?.deposit_item_id && !moved ? <p class="hint">{texts.depositNeeded}</p> : null}
      {failed === undefined ? null : <ErrorNotice error={failed} />}
    </div>
  );
}
