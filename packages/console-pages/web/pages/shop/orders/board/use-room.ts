import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

/**
 * The space of the board: how many tickets fit on its first screen, and whether they are folded so that more do. `canUnfold` is false while
 * orders that must be made now would not fit. `turn` folds or unfolds the tickets, where not all fit; where even folded ones do not fit, it
 * goes to the first that does not, or back.
 */
interface Room {
  readonly fit: number;
  readonly isFolded: boolean;
  readonly canUnfold: boolean;
  turn(): void;
}

/**
 * Measures how many tickets are wholly on the first screen. The first `due` of them must be made now: when they do not fit, all tickets
 * fold until they fit again. `fitWhole` stays the same while tickets are folded, since whole ones cannot be measured then, and is unlimited
 * while all fit.
 */
export function useRoom(list: RefObject<HTMLElement | null>, count: number, due: number): Room {
  const [fit, setFit] = useState(count);
  const [fitWhole, setFitWhole] = useState(count);
  const [isChosen, choose] = useState(false);
  const mustFold = due > fitWhole;
  const isFolded = mustFold || (isChosen && count > fitWhole);
  const measure = () => {
    const fits = fitting(list.current);
    setFit(fits);
    if (!isFolded) setFitWhole(fits === count ? Number.POSITIVE_INFINITY : fits);
  };
  useLayoutEffect(measure);
  useEffect(() => {
    const onResize = () => setFitWhole(Number.POSITIVE_INFINITY);
    addEventListener('resize', onResize);
    return () => removeEventListener('resize', onResize);
  }, []);
  const turn = () => {
    if (!isFolded) choose(true);
    else if (fit < count) goTo(list.current, fit);
    else choose(false);
  };
  return { fit, isFolded, canUnfold: isFolded && !mustFold, turn };
}

function fitting(list: HTMLElement | null): number {
  const tickets = [...(list?.children ?? [])];
  const [right, bottom] = [innerWidth - scrollX - (list?.scrollLeft ?? 0) + 1, innerHeight - scrollY + 1];
  const first = tickets.findIndex((ticket) => {
    const rect = ticket.firstElementChild?.getBoundingClientRect();
    return rect !== undefined && (rect.right > right || rect.bottom > bottom);
  });
  return first === -1 ? tickets.length : first;
}

function goTo(list: HTMLElement | null, index: number): void {
  const isAway = (list?.scrollLeft ?? 0) > 0 || scrollY > 0;
  list?.children[isAway ? 0 : index]?.scrollIntoView({ block: 'start', inline: 'start' });
  if (isAway) scrollTo(0, 0);
}
