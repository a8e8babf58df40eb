import type { Fault, Fuzzed } from './run.ts';

/** What a run found, in words: how often each operation was answered what, and each kind of fault once, with the request that showed it. */
export function inWords({ faults, responses, slowestMs }: Fuzzed): string {
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
    `slowest answer ${Math.round(slowestMs)} ms`,
    `${faults.length} faults of ${kinds.length} kinds`,
    ...kinds.flatMap((kind = []) => faultInWords(kind)),
  ].join('\n');
}

const longest = 600;

/** A kind of fault by its smallest request. */
function faultInWords(kind: readonly Fault[]): string[] {
  const [fault] = kind.toSorted((one, other) => sizeOf(one) - sizeOf(other));
  if (!fault) return [];
  const { operation, what, nth, bearer, made, received } = fault;
  const { authorization: _, ...headers } = made.headers;
  return [
    '',
    `${operation}: ${what} (${kind.length} times; request ${nth}, ${bearer})`,
    `  ${made.method} ${made.path.slice(0, longest)}`,
    `  ${JSON.stringify(headers).slice(0, longest)}`,
    `  ${made.body?.toString('utf8').slice(0, longest) ?? ''}`,
    `  -> ${received?.text.slice(0, longest) ?? 'nothing'}`,
  ];
}

const sizeOf = ({ made }: Fault): number => (made.body?.length ?? 0) + made.path.length + JSON.stringify(made.headers).length;
