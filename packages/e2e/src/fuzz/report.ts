import type { Fault, FuzzResult } from './run.ts';

/** Describes a run as text: response counts by operation and status, and each kind of fault with the smallest request that showed it. */
export function describeResult({ faults, responses, slowestMs }: FuzzResult): string {
  const table = [...responses]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([operation, counts]) => {
      const figures = [...counts].toSorted(([one], [other]) => one - other).map(([status, count]) => `${status}×${count}`);
      return `${operation.padEnd(24)}${figures.join('  ')}`;
    });
  const kinds = Object.values(Object.groupBy(faults, ({ operation, what }) => `${operation}: ${what}`));
  return [
    ...table,
    '',
    `slowest response ${Math.round(slowestMs)} ms`,
    `${faults.length} faults of ${kinds.length} kinds`,
    ...kinds.flatMap((kind = []) => describeFault(kind)),
  ].join('\n');
}

const maxLength = 600;

function describeFault(kind: readonly Fault[]): string[] {
  const [fault] = kind.toSorted((one, other) => sizeOf(one) - sizeOf(other));
  if (!fault) return [];
  const { operation, what, nth, bearer, prepared, received } = fault;
  const { authorization: _, ...headers } = prepared.headers;
  return [
    '',
    `${operation}: ${what} (${kind.length} times; request ${nth}, ${bearer})`,
    `  ${prepared.method} ${prepared.path.slice(0, maxLength)}`,
    `  ${JSON.stringify(headers).slice(0, maxLength)}`,
    `  ${prepared.body?.toString('utf8').slice(0, maxLength) ?? ''}`,
    `  -> ${received?.text.slice(0, maxLength) ?? 'nothing'}`,
  ];
}

const sizeOf = ({ prepared }: Fault): number =>
  (prepared.body?.length ?? 0) + prepared.path.length + JSON.stringify(prepared.headers).length;
