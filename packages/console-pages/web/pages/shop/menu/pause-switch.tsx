import { useState } from 'react';
import { Linked, Moment, type MomentChoice, Notice } from '../../../components/index.ts';
import { announce } from '../../../shell/announce.tsx';
import { useStore } from '../../../shell/context.ts';
import { readAgain, useRead } from '../../../shell/queries.ts';
import { useZone } from '../operations.ts';
import { refusalText } from '../refusal-text.ts';
import { pauseStore, switchesPath } from '../switch-operations.ts';
import { timeText } from '../timing.ts';
import { minutesUntil, pauseText } from './menu.ts';

/** A pause ends with time, which no event announces. */
const readEveryMs = 30_000;

export const useSwitches = () => {
  const { id } = useStore();
  return useRead(switchesPath(id), { readAgainFor: { types: ['store.', 'order.'], subjects: [id] }, every: readEveryMs });
};

const lengths = [10, 20, 30] as const;

export function PauseSwitch() {
  const { id: storeId } = useStore();
  const zone = useZone();
  const { data } = useSwitches();
  const [refused, setRefused] = useState<string | null>(null);
  if (!data) return null;
  const pause = async (paused: boolean, minutes: number | null) => {
    await pauseStore(storeId, paused, minutes);
    await readAgain(switchesPath(storeId));
    const until = minutes === null ? '' : ` until ${timeText(new Date(Date.now() + minutes * 60_000).toISOString(), zone)}`;
    return paused ? `Orders are paused${until}.` : 'The store takes orders.';
  };
  const before = data.pause;
  const choice = (label: string, paused: boolean, minutes: number | null = null): MomentChoice => ({
    label,
    async act() {
      setRefused(null);
      try {
        announce(await pause(paused, minutes), () => pause(before !== null, before && minutesUntil(before.until, Date.now())));
      } catch (error) {
        setRefused(refusalText(error, 'The pause'));
      }
    },
  });
  const choices = before
    ? [choice('Take orders', false)]
    : [...lengths.map((minutes) => choice(`Pause ${minutes} min`, true, minutes)), choice('Until I say', true)];
  return (
    <>
      <Moment isOpen={data.store.takes_orders === 'now'} choices={choices}>
        <Linked text={pauseText(data, (instant) => timeText(instant, zone))} />
      </Moment>
      <Notice text={refused} />
    </>
  );
}
