import { lazy, Suspense } from 'react';
import type { FigureProps } from './plot.tsx';
import { Loading } from './states.tsx';

const Plot = lazy(() => import('./plot.tsx'));

export const Figure = (props: FigureProps) => (
  <figure className="figure">
    <figcaption>
      {props.title}
      {props.headline === undefined ? null : <strong>{props.headline}</strong>}
    </figcaption>
    <Suspense fallback={<Loading lines={3} />}>
      <Plot {...props} />
    </Suspense>
    <ul className="legend">
      {props.lines.map(({ label, values }, index) => (
        <li key={label}>
          <span className={`swatch series-${index % 4}`} />
          {label} <b>{lastOf(values)}</b>
          <span className="unseen">{saidOf(values)}</span>
        </li>
      ))}
    </ul>
  </figure>
);

const lastOf = (values: readonly (number | null)[]): number => values.findLast((value) => value !== null) ?? 0;

function saidOf(values: readonly (number | null)[]): string {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === 0 ? 'no values' : `last; at least ${Math.min(...numbers)}, at most ${Math.max(...numbers)}`;
}
