import type { components } from '@corner/client';
import type { LaterTimes } from '../../order/later-time.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';

interface TimeFieldProps {
  readonly times: LaterTimes;
  readonly slots: readonly components['schemas']['OpenSlot'][];
  readonly timeZone: string;
  readonly chosen: string | null;
  readonly choose: (slotId: string | null) => void;
}

/** Has its final height before the times arrive. The chosen slot is null for none. */
export function TimeField({ times, slots, timeZone, chosen, choose }: TimeFieldProps) {
  const { basket: texts, shell } = useTexts();
  const format = useFormat();
  const today = format.day(new Date().toISOString(), timeZone);
  const byDay = [...Map.groupBy(slots, ({ starts_at }) => format.day(starts_at, timeZone))];
  const instead = times === 'awaited' ? shell.loading : times === 'full' ? texts.noTimesLeft : texts.chooseTime;
  const isListed = slots.some(({ id }) => id === chosen);
  return (
    <label class="select">
      <span>{texts.time}</span>
      <select
        value={isListed ? (chosen ?? '') : ''}
        disabled={times !== 'open'}
        onChange={({ currentTarget }) => choose(currentTarget.value || null)}
      >
        {isListed ? null : <option value="">{instead}</option>}
        {byDay.map(([day, ofDay]) => (
          <optgroup key={day} label={day}>
            {ofDay.map(({ id, starts_at, ends_at }) => (
              <option key={id} value={id}>
                {day === today ? '' : `${day}, `}
                {format.time(starts_at, timeZone)} – {format.time(ends_at, timeZone)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}
