import { useEffect, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import { instant } from '../logic/format.ts';
import { useDark } from './use-theme.ts';

export interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

/**
 * `title` is the quantity and its unit: `Orders a minute`. `instants` are ISO 8601, oldest first. `headline` is the sum or the last value.
 */
export interface FigureProps {
  readonly title: string;
  readonly instants: readonly string[];
  readonly lines: readonly Line[];
  readonly headline?: string;
}

const height = 180;

export default function Plot({ instants, lines }: FigureProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const dark = useDark();
  const labels = lines.map(({ label }) => label).join('\n');
  const data = useMemo(
    () => [instants.map((at) => Date.parse(at) / 1_000), ...lines.map(({ values }) => [...values])] as uPlot.AlignedData,
    [instants, lines],
  );
  const latest = useRef(data);
  latest.current = data;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page, which has changed with the theme
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const drawn = new uPlot(optionsOf(element, labels.split('\n')), latest.current, element);
    plot.current = drawn;
    const watch = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      drawn.destroy();
    };
  }, [labels, dark]);
  useEffect(() => plot.current?.setData(data), [data]);
  return <div ref={place} className="plot" aria-hidden="true" />;
}

function optionsOf(element: HTMLElement, labels: readonly string[]): uPlot.Options {
  const styles = getComputedStyle(element);
  const colour = (name: string) => resolved(element, styles.getPropertyValue(name));
  const axis = { stroke: colour('--quiet'), font: '12px system-ui', grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false },
    scales: { y: { range: (_, _least, most) => [0, Math.max(most * 1.1, 4)] } },
    axes: [
      { ...axis, space: 76, values: timesOf },
      { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] },
    ],
    series: [
      {},
      ...labels.map((label, index) => ({
        label,
        width: 2,
        stroke: colour(`--series-${index % 4}`),
        points: { show: false },
        spanGaps: true,
      })),
    ],
  };
}

function timesOf(_: uPlot, seconds: readonly number[]): string[] {
  const style = (seconds[1] ?? Number.POSITIVE_INFINITY) - (seconds[0] ?? 0) < 60 ? 'time' : 'minute';
  return seconds.map((each) => instant(new Date(each * 1_000).toISOString(), style));
}

function resolved(element: HTMLElement, value: string): string {
  const before = element.style.color;
  element.style.color = value;
  const { color } = getComputedStyle(element);
  element.style.color = before;
  return color;
}
