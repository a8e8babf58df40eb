import type { KeptHead } from '@corner/contracts/verify-queue';
import { useState } from 'preact/hooks';
import { useClient } from '../../session/use-session.ts';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { AskSheet } from '../../ui/ask-sheet.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/field.tsx';
import { useTrying } from '../../ui/use-trying.ts';
import { hasSound, prepareSound } from './sound.ts';
import { UnseenMoves } from './unseen-moves.tsx';
import type { Place } from './use-place.ts';

interface WaitingProps {
  readonly store: Store;
  readonly place: Place;
  readonly end: KeptHead | undefined;
  readonly changed: () => void;
}

export function Waiting({ store, place, end, changed }: WaitingProps) {
  const { queue: texts } = useTexts();
  const { time } = useFormat();
  const { queue_position: position, expected_wait_min: wait, expected_start: start, quoted_wait_min: quoted, wait_range: range } = place;
  return (
    <>
      <section class="place" aria-live="polite">
        <h2 class="place-before">{texts.before(Math.max(0, (position ?? 1) - 1))}</h2>
        {wait === null ? null : (
          <p class="place-wait">
            {texts.about(wait)}
            {start === null || wait === 0 ? '' : `, ${texts.at(time(start, store.time_zone))}`}
          </p>
        )}
      </section>
      <section class="part">
        {quoted ? <p class="hint">{texts.quoted(quoted, time(place.joined_at, store.time_zone))}</p> : null}
        {range && range.to_min > 0 ? <p class="hint">{texts.aboutRange(range.from_min, range.to_min)}</p> : null}
        <p class="hint">{texts.stay}</p>
        <UnseenMoves place={place} end={end} timeZone={store.time_zone} />
        <Sound />
      </section>
      <Leave place={place} changed={changed} label={texts.leave} />
    </>
  );
}

function Sound() {
  const { queue: texts } = useTexts();
  const [on, setOn] = useState(hasSound());
  return (
    <Choice
      type="checkbox"
      label={texts.sound}
      checked={on}
      onChange={({ currentTarget: { checked } }) => {
        prepareSound(checked);
        setOn(checked);
      }}
    />
  );
}

interface LeaveProps {
  readonly place: Place;
  readonly changed: () => void;
  readonly label: string;
}

export function Leave({ place, changed, label }: LeaveProps) {
  const { queue: texts } = useTexts();
  const client = useClient();
  const [asking, setAsking] = useState(false);
  const { busy, failed, trying } = useTrying();
  const leave = () =>
    trying(async () => {
      await client.POST('/api/v1/queue/leave', { body: { entry_id: place.entry_id } });
      setAsking(false);
      changed();
    });
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking ? (
        <AskSheet
          title={texts.leaveAsk}
          hint={texts.leaveHint}
          yes={texts.leave}
          no={texts.keep}
          {...{ busy, failed }}
          onYes={leave}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

export function Seated() {
  const { queue: texts } = useTexts();
  return (
    <section class="place" role="status">
      <h2 class="place-before">{texts.assigned}</h2>
      <p class="place-wait">{texts.assignedHint}</p>
    </section>
  );
}

interface EndedProps {
  readonly status: keyof ReturnType<typeof useTexts>['queue']['ended'];
  readonly forget: () => void;
}

export function Ended({ status, forget }: EndedProps) {
  const { queue: texts } = useTexts();
  return (
    <>
      <section class="place" role="status">
        <h2 class="place-before">{texts.ended[status]}</h2>
        <p class="place-wait">{texts.endedHint[status]}</p>
      </section>
      <Button onClick={forget}>{texts.again}</Button>
    </>
  );
}
