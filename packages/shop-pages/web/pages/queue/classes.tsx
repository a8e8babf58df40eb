import type { components } from '@corner/client';
import { useClient } from '../../session/use-session.ts';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useTrying } from '../../ui/use-trying.ts';

type Class = components['schemas']['OpenSession'];

interface ClassesProps {
  readonly store: Store;
  readonly classes: readonly Class[];
  readonly done: () => void;
  readonly again: () => void;
}

export function Classes({ store, classes, done, again }: ClassesProps) {
  const { queue: texts } = useTexts();
  const { day, time } = useFormat();
  const client = useClient();
  const { busy, failed, trying } = useTrying();
  const join = ({ session_id, places_left }: Class) =>
    trying(async () => {
      await client.POST('/api/v1/queue/bookings', { body: { store_id: store.id, session_id, wait: places_left < 1 } });
      done();
    }).finally(again);
  return (
    <fieldset class="booking-times">
      <legend>{texts.classes}</legend>
      {classes.map((one) => (
        <Button key={one.session_id} busy={busy} onClick={() => void join(one)}>
          {texts.bookedAt(day(one.starts_at, store.time_zone), time(one.starts_at, store.time_zone))}
          {' · '}
          {one.places_left < 1 ? texts.waitForPlace : texts.placesLeft(one.places_left)}
        </Button>
      ))}
      {failed === undefined ? null : <ErrorNotice error={failed} />}
    </fieldset>
  );
}
