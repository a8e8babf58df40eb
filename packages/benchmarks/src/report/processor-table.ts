import { type ProcessorTime, platformTime } from '../system/processor-time.ts';
import { short } from './figures.ts';
import type { Breakdown } from './report.ts';

/** Processor time by process for each of `count` orders, in milliseconds and as a share of the platform's. */
export function breakdownOf(title: string, processor: ProcessorTime, count: number): Breakdown {
  const platform = platformTime(processor);
  const row = (name: string, seconds: number) => [name, short((seconds / count) * 1000), `${((seconds / platform) * 100).toFixed(0)} %`];
  return {
    title,
    columns: ['', 'ms an order', 'of the platform'],
    rows: [...Object.entries(processor).map(([name, seconds]) => row(name, seconds)), row('the platform', platform)],
  };
}
