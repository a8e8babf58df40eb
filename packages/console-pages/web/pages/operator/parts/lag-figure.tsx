import type { Figures } from '@corner/console-api';
import { useMemo } from 'react';
import { Figure } from '../../../components/index.ts';
import { lagLines } from '../../../logic/figures.ts';

/** How many events each service has not processed yet, over time. */
export function LagFigure({ figures }: { readonly figures: Figures }) {
  const { instants, lines } = useMemo(() => lagLines(figures.lag), [figures]);
  return <Figure title="Events that wait, by consumer" instants={instants} lines={lines} />;
}
