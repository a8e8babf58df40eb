import { money } from '../../../logic/format.ts';
import type { Hour } from './day.ts';

const height = 120;
const width = 24;

/** What was taken in each hour as bars, and what was returned below the line. The table beside it says the same in digits. */
export function HourBars({ hours, currency }: { readonly hours: readonly Hour[]; readonly currency: string }) {
  const most = Math.max(1, ...hours.map(({ taken, returned }) => Math.max(taken, returned)));
  const tall = (amount: number) => Math.round((amount / most) * (height - 8));
  const best = hours.reduce((before, hour) => (hour.taken > before.taken ? hour : before), hours[0] ?? { hour: 0, taken: 0, returned: 0 });
  const said = best.taken > 0 ? `Most was taken from ${best.hour}:00, ${money(best.taken, currency)}.` : 'Nothing was taken.';
  return (
    <figure className="hour-bars">
      <svg viewBox={`0 0 ${24 * width} ${height + 40}`} role="img" aria-label={said} preserveAspectRatio="none">
        {hours.map(({ hour, taken, returned }) => (
          <g key={hour}>
            <rect className="bar-taken" x={hour * width + 3} width={width - 6} y={height - tall(taken)} height={tall(taken)} />
            <rect className="bar-returned" x={hour * width + 3} width={width - 6} y={height + 1} height={Math.min(36, tall(returned))} />
          </g>
        ))}
        <line className="hour-axis" x1={0} x2={24 * width} y1={height} y2={height} />
      </svg>
      <div className="hour-names" aria-hidden="true">
        {[0, 6, 12, 18].map((hour) => (
          <span key={hour}>{String(hour).padStart(2, '0')}:00</span>
        ))}
      </div>
      <figcaption className="quiet">{said}</figcaption>
    </figure>
  );
}
