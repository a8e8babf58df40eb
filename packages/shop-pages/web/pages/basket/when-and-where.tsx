import { useEffect, useId, useState } from 'preact/hooks';
import { type Basket, type CheckedLine, tableOf } from '../../order/basket.ts';
import { hasRoom, laterTimes } from '../../order/later-time.ts';
import { useRead } from '../../session/use-read.ts';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Either } from './either.tsx';
import type { ChangeBasket } from './lines.tsx';
import { TimeField } from './time-field.tsx';

interface WhenAndWhereProps {
  readonly store: Store;
  /** From the menu; undefined in an older reply. */
  readonly hasSlots: boolean | undefined;
  /** The minutes that its orders take, from the menu; absent while too few are known. */
  readonly usual: { readonly from_min: number; readonly to_min: number } | null | undefined;
  /** When an order for now is ready, at a store with a pace; `ready_from` is null when today is full. */
  readonly pace: { readonly ready_from: string | null } | null | undefined;
  readonly basket: Basket;
  readonly lines: readonly CheckedLine[];
  readonly change: ChangeBasket;
}

export function WhenAndWhere({ store, hasSlots, usual, pace, basket, lines, change }: WhenAndWhereProps) {
  const { basket: texts } = useTexts();
  const table = tableOf(basket, Date.now());
  const atOnce = store.takes_orders === 'now';
  const time = useTime(store, basket.slot_id, change);
  if (store.takes_orders === 'none') return <Notice kind="warning">{texts.noOrders}</Notice>;
  if (table !== null && atOnce)
    return (
      <section class="basket-part" aria-label={texts.when}>
        <h2>{texts.atTable(table)}</h2>
        <Button onClick={() => change((before) => ({ ...before, table: null }))}>{texts.notAtTable}</Button>
      </section>
    );
  return <When store={store} hasSlots={hasSlots} usual={usual} pace={pace} lines={lines} time={time} />;
}

/** Drops the chosen time once it is no longer available. `isLost`: it was dropped, and the customer has not chosen since. */
function useTime(store: Store, chosen: string | null, change: ChangeBasket) {
  const { data } = useRead('/api/v1/orders/stores/{store_id}/slots', { params: { path: { store_id: store.id }, query: { limit: 100 } } });
  const slots = data?.slots;
  const [isLost, setLost] = useState(false);
  const set = (slot_id: string | null) => change((before) => ({ ...before, slot_id }));
  const isGone = chosen !== null && slots !== undefined && !slots.some(({ id }) => id === chosen);
  useEffect(() => {
    if (!isGone) return;
    setLost(true);
    set(null);
  }, [isGone]);
  return {
    slots,
    chosen,
    isLost: isLost || isGone,
    choose: (slot_id: string | null) => {
      setLost(false);
      set(slot_id);
    },
  };
}

interface WhenProps extends Pick<WhenAndWhereProps, 'store' | 'hasSlots' | 'usual' | 'pace' | 'lines'> {
  readonly time: ReturnType<typeof useTime>;
}

function When({ store, hasSlots, usual, pace, lines, time: { slots, chosen, isLost, choose } }: WhenProps) {
  const { basket: texts } = useTexts();
  const name = useId();
  const times = laterTimes(hasSlots, slots);
  const atOnce = store.takes_orders === 'now';
  const later = !atOnce || chosen !== null;
  const minutes = Math.max(0, ...lines.map(({ item }) => item?.prep_minutes ?? 0));
  const typed = minutes > 0 ? texts.aboutMinutes(minutes) : undefined;
  const { time: timeText } = useFormat();
  const isFull = pace?.ready_from === null;
  const isLater = pace?.ready_from && Date.parse(pace.ready_from) > Date.now();
  const paced = isFull ? texts.fullToday : isLater ? texts.readyAbout(timeText(pace.ready_from ?? '', store.time_zone)) : undefined;
  const field = <TimeField times={times} slots={slots ?? []} timeZone={store.time_zone} chosen={chosen} choose={choose} />;
  return (
    <fieldset class="basket-part">
      <legend class="part-title">{texts.when}</legend>
      {atOnce ? null : <p class="quiet">{texts.laterOnly}</p>}
      <div class="choices">
        {atOnce ? (
          <Choice
            type="radio"
            name={name}
            label={texts.asSoonAsReady}
            after={paced ?? (usual ? texts.usualMinutes(usual.from_min, usual.to_min) : typed)}
            checked={!later}
            onChange={() => choose(null)}
          />
        ) : null}
        {hasRoom(times) ? (
          <Choice
            type="radio"
            name={name}
            label={<Either first={texts.later} second={texts.noTimesLeft} shows={times === 'full' && !later ? 'second' : 'first'} />}
            checked={later}
            disabled={times !== 'open'}
            onChange={() => choose(chosen ?? slots?.[0]?.id ?? null)}
          />
        ) : null}
      </div>
      {hasRoom(times) && (later || isLost) ? <Either first={field} second={texts.timeLost} shows={later ? 'first' : 'second'} /> : null}
      {!atOnce && times === 'none' ? <Notice kind="warning">{texts.noTimes}</Notice> : null}
      <p class="only-read-out" role="status">
        {isLost ? texts.timeLost : times === 'full' ? texts.noTimesLeft : ''}
      </p>
    </fieldset>
  );
}
