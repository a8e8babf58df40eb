import type { components } from '@corner/client';
import { useState } from 'react';
import { Notice } from '../../../../components/index.ts';
import { announce } from '../../../../shell/announce.tsx';
import { useStore } from '../../../../shell/context.ts';
import { readAgain, useRead } from '../../../../shell/queries.ts';
import { refusalText } from '../../refusal-text.ts';
import { pacePath, setPace } from '../../switch-operations.ts';
import { timeText } from '../../timing.ts';

type Quarter = components['schemas']['PaceQuarter'];

/** Time passes without an event. */
const readEveryMs = 30_000;
const steps = { items: 1, minutes: 5 } as const;

/** How full the next two hours of the kitchen are; nothing at a store without a pace. A press narrows or widens a quarter of an hour. */
export function PaceStrip({ timeZone }: { readonly timeZone: string | undefined }) {
  const { id } = useStore();
  const path = pacePath(id);
  const { data } = useRead(path, { readAgainFor: { types: ['order.'], subjects: [id] }, every: readEveryMs });
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  if (!data?.unit) return null;
  const { unit, quarters } = data;
  const write = async (at: string, capacity: number | null) => {
    await setPace(id, at, capacity);
    await readAgain(path);
    return `${timeText(at, timeZone)}: ${capacity === null ? 'the usual pace again' : `at most ${capacity} ${unit}`}.`;
  };
  const change = async ({ starts_at: at, capacity, by_staff }: Quarter, by: number) => {
    setBusy(true);
    setRefused(null);
    try {
      announce(await write(at, Math.max(0, capacity + by)), () => write(at, by_staff ? capacity : null));
    } catch (error) {
      setRefused(refusalText(error, 'The pace'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="to-make pace" tabIndex={0} aria-label="How full the kitchen is">
        <ul>
          {quarters.map((quarter) => (
            <li key={quarter.starts_at} className="pace-quarter">
              <PaceButton sign="−" label="Less" {...{ quarter, timeZone, busy }} press={() => void change(quarter, -steps[unit])} />
              <span className={quarter.taken >= quarter.capacity ? 'pace-full' : undefined}>
                <small>{timeText(quarter.starts_at, timeZone)}</small> {quarter.taken}/{quarter.capacity}
              </span>
              <PaceButton sign="+" label="More" {...{ quarter, timeZone, busy }} press={() => void change(quarter, steps[unit])} />
            </li>
          ))}
        </ul>
      </section>
      <Notice text={refused} />
    </>
  );
}

interface PaceButtonProps {
  readonly sign: string;
  readonly label: string;
  readonly quarter: Quarter;
  readonly timeZone: string | undefined;
  readonly busy: boolean;
  press(): void;
}

const PaceButton = ({ sign, label, quarter, timeZone, busy, press }: PaceButtonProps) => (
  <button
    type="button"
    disabled={busy || (label === 'Less' && quarter.capacity === 0)}
    aria-label={`${label} at ${timeText(quarter.starts_at, timeZone)}`}
    onClick={press}
  >
    {sign}
  </button>
);
