import { type DayRange, neighbour } from './report.ts';

interface DaysProps {
  readonly range: DayRange;
  readonly today: string;
  readonly go: (wanted: DayRange) => void;
}

export function Days({ range, today, go }: DaysProps) {
  const { from, to } = range;
  const later = neighbour(range, 1);
  return (
    <>
      <button type="button" aria-label={from === to ? 'Day before' : 'Days before'} onClick={() => go(neighbour(range, -1))}>
        ‹
      </button>
      <input
        type="date"
        aria-label="From"
        value={from}
        max={today}
        onChange={({ target: { value } }) => value && go({ from: value, to: from === to || value > to ? value : to })}
      />
      <input
        type="date"
        aria-label="To"
        value={to}
        min={from}
        max={today}
        onChange={({ target: { value } }) => value && go({ from, to: value })}
      />
      <button type="button" aria-label={from === to ? 'Day after' : 'Days after'} disabled={later.from > today} onClick={() => go(later)}>
        ›
      </button>
    </>
  );
}
