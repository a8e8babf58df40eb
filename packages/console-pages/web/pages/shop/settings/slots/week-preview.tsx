import { wallTimeAt } from '@corner/page-kit/logic/zones';
import { dayText, plural } from '../../../../logic/format.ts';
import type { PreviewDay, PreviewSlot } from './week-slots.ts';

const mostShown = 40;

export const WeekPreview = ({ days, zone }: { readonly days: readonly PreviewDay[]; readonly zone: string }) => (
  <ul className="week-preview">
    {days.map(({ date, slots }) => (
      <li key={date}>
        <h3>{dayText(date)}</h3>
        {slots.length === 0 ? (
          <p className="quiet">no slot</p>
        ) : (
          <ul className="week-slots">
            {slots.slice(0, mostShown).map((slot) => (
              <li key={slot.from} className={slot.closed ? 'closed' : slot.isDated ? 'dated' : ''}>
                {slotText(slot, zone)}
              </li>
            ))}
            {slots.length > mostShown && <li>and {plural(slots.length - mostShown, 'more', 'more')}</li>}
          </ul>
        )}
      </li>
    ))}
  </ul>
);

function slotText({ from, closed, isDated }: PreviewSlot, zone: string) {
  const { time } = wallTimeAt(from, zone);
  return (
    <>
      {time}
      {closed && <span className="unseen"> closed: {closed}</span>}
      {isDated && <span className="unseen"> a single day</span>}
    </>
  );
}
