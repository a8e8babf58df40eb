import type { Figures } from '@corner/console-api';
import { useMemo } from 'react';
import { Figure } from '../../../components/index.ts';
import { lagLines, servicesInOrder } from '../../../logic/figures.ts';

const known: readonly string[] = servicesInOrder;

export const toneOf = (service: string): string => (known.includes(service) ? `series-${known.indexOf(service)}` : 'series-none');

export const ServiceName = ({ name }: { readonly name: string }) => (
  <span className="service-name">
    <span className={`dot ${toneOf(name)}`} />
    {name}
  </span>
);

export function LagFigure({ figures }: { readonly figures: Figures }) {
  const { instants, lines } = useMemo(() => lagLines(figures.lag), [figures]);
  return <Figure title="Events that wait, by consumer" instants={instants} lines={lines} />;
}
