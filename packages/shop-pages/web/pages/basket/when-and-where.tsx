import { useEffect, useId } from 'preact/hooks';
import { type Basket, type CheckedLine, tableOf } from '../../order/basket.ts';
import { useRead } from '../../session/use-read.ts';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { ChangeBasket } from './lines.tsx';

interface WhenAndWhereProps {
  readonly store: Store;
  readonly basket: Basket;
  readonly lines: readonly CheckedLine[];
  readonly change: ChangeBasket;
}

/** At the table that was scanned, as soon as it is ready, or at a time: as far as the store offers it now. */
export function WhenAndWhere({ store, basket, lines, change }: WhenAndWhereProps) {
  const { basket: texts } = useTexts();
  const format = useFormat();
  const name = useId();
  const { data } = useRead('/api/v1/orders/stores/{store_id}/slots', { params: { path: { store_id: store.id }, query: { limit: 100 } } });
  const slots = data?.slots ?? [];
  const table = tableOf(basket, Date.now());
  const atOnce = store.takes_orders === 'now';
  const later = !atOnce || basket.slot_id !== null;
  const minutes = Math.max(0, ...lines.map(({ item }) => item?.prep_minutes ?? 0));
  const chosen = basket.slot_id;
  const isGone = chosen !== null && data !== undefined && !slots.some(({ id }) => id === chosen);
  const first = slots[0]?.id;
  const chooseSlot = (slot_id: string | null) => change((before) => ({ ...before, slot_id }));
  useEffect(() => {
    if (isGone) chooseSlot(null);
  }, [isGone]);

  if (store.takes_orders === 'none') return <Notice kind="warning">{texts.noOrders}</Notice>;
  if (table !== null && atOnce)
    return (
      <section class="basket-part" aria-label={texts.when}>
        <h2>{texts.atTable(table)}</h2>
        <Button onClick={() => change((before) => ({ ...before, table: null }))}>{texts.notAtTable}</Button>
      </section>
    );
  // A closed list shows the chosen time without the heading of its day.
  const today = format.day(new Date().toISOString(), store.time_zone);
  const byDay = [...Map.groupBy(slots, ({ starts_at }) => format.day(starts_at, store.time_zone))];
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
            after={minutes > 0 ? texts.aboutMinutes(minutes) : undefined}
            checked={!later}
            onChange={() => chooseSlot(null)}
          />
        ) : null}
        {first === undefined ? null : (
          <Choice type="radio" name={name} label={texts.later} checked={later} onChange={() => chooseSlot(chosen ?? first)} />
        )}
      </div>
      {later && slots.length > 0 ? (
        <label class="select">
          <span>{texts.time}</span>
          <select value={chosen ?? ''} onChange={({ currentTarget }) => chooseSlot(currentTarget.value || null)}>
            {chosen === null ? <option value="">{texts.chooseTime}</option> : null}
            {byDay.map(([day, ofDay]) => (
              <optgroup key={day} label={day}>
                {ofDay.map(({ id, starts_at, ends_at }) => (
                  <option key={id} value={id}>
                    {day === today ? '' : `${day}, `}
                    {format.time(starts_at, store.time_zone)} – {format.time(ends_at, store.time_zone)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
      ) : null}
      {later && data && slots.length === 0 ? <Notice kind="warning">{texts.noTimes}</Notice> : null}
    </fieldset>
  );
}
