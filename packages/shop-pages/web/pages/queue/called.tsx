import { useEffect, useId, useRef } from 'preact/hooks';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Leave } from './place.tsx';
import { announceTurn } from './sound.ts';
import type { Place } from './use-place.ts';

interface CalledProps {
  readonly store: Store;
  readonly place: Place;
  readonly holdMinutes: number;
  readonly changed: () => void;
}

export function Called({ store, place, holdMinutes, changed }: CalledProps) {
  const { queue: texts } = useTexts();
  const { time } = useFormat();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  useEffect(announceTurn, [place.called_at]);
  const until = place.called_at && new Date(Date.parse(place.called_at) + holdMinutes * 60_000).toISOString();
  return (
    // It stays until the call has ended, so Escape does not close it.
    <dialog ref={dialog} class="called" aria-labelledby={id} onCancel={(event) => event.preventDefault()}>
      <div class="called-body" role="alert">
        <h2 id={id} tabIndex={-1} autofocus>
          {texts.called}
        </h2>
        <p class="called-shop">{store.name}</p>
        <p>{texts.calledHint}</p>
        {until && holdMinutes > 0 ? <p>{texts.holdUntil(time(until, store.time_zone))}</p> : null}
      </div>
      <Leave place={place} changed={changed} label={texts.cannotCome} />
    </dialog>
  );
}
