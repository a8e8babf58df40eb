import type { Figures } from '@corner/console-api';
import { useMemo } from 'react';
import { Figure } from '../../../components/index.ts';
import { lagLines, servicesInOrder } from '../../../logic/figures.ts';

const known: readonly string[] = servicesInOrder;

/** The class of a service's colour; other processes are grey. */
export const toneOf = (service: string): string => (known.includes(service) ? `series-${known.indexOf(service)}` : 'series-none');

/** A service with the colour that it has in every picture. */
export const ServiceName = ({ name }: { readonly name: string }) => (
  <span className="service-name">
    <span className={`dot ${toneOf(name)}`} />
    {name}
  </span>
);

/** How many events each service has not processed yet, over time. */
export function LagFigure({ figures }: { readonly figures: Figures }) {
  const { instants, lines } = useMemo(() => lagLines(figures.lag), [figures]);
  return <Figure title="Events that wait, by consumer" instants={instants} lines={lines} />;
}
