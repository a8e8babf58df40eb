import { useMemo } from 'react';
import { Clock, type Column, Id, Table } from '../../../components/index.ts';
import { duration } from '../../../logic/format.ts';
import { type Line, linesOf, type StoryFact } from '../../../logic/story.ts';
import { ServiceName } from './services.tsx';

export type FactsAs = 'sentences' | 'records';

const time: Column<Line> = {
  key: 'time',
  header: 'Time',
  width: '8.5rem',
  value: ({ at }) => at,
  cell: ({ at, day }) => (
    <>
      {day ? <span className="fact-day">{day} </span> : null}
      <Clock at={at} />
    </>
  ),
};
const service: Column<Line> = {
  key: 'service',
  header: 'Service',
  width: '8rem',
  value: (line) => line.service,
  cell: (line) => <ServiceName name={line.service} />,
};

const sentences: readonly Column<Line>[] = [
  time,
  {
    key: 'after',
    header: 'After',
    width: '6rem',
    numeric: true,
    value: ({ afterMs }) => afterMs,
    cell: ({ afterMs }) => (afterMs === 0 ? null : <span className="quiet">+{duration(afterMs)}</span>),
  },
  service,
  { key: 'sentence', header: 'What happened', cell: ({ sentence }) => sentence },
  { key: 'ids', header: 'Ids', width: '21rem', cell: (line) => <Ids line={line} /> },
];

const records: readonly Column<Line>[] = [
  time,
  service,
  {
    key: 'record',
    header: 'Record',
    cell: ({ key: _, afterMs: _after, day: _day, ...fact }) => <code className="record">{JSON.stringify(fact)}</code>,
  },
];

export function FactTable({ facts, as = 'sentences' }: { readonly facts: readonly StoryFact[]; readonly as?: FactsAs }) {
  const lines = useMemo(() => linesOf(facts), [facts]);
  return (
    <Table caption="Facts in order of time" rows={lines} columns={as === 'sentences' ? sentences : records} rowKey={({ key }) => key} />
  );
}

const named = [
  ['of', 'about'],
  ['event_id', 'event'],
  ['request_id', 'request'],
  ['trace_id', 'trace'],
] as const;

const Ids = ({ line }: { readonly line: Line }) => (
  <span className="ids">
    {named.map(([field, label]) => {
      const value = line[field];
      return value === null ? null : (
        <span key={field}>
          <span className="quiet">{label}</span> <Id value={value} what={label} />
        </span>
      );
    })}
    <Outside href={line.trace_url} label="Open the trace" />
    <Outside href={line.log_url} label="Open the logs" />
  </span>
);

/** The other system must not learn the page that the person comes from. */
const Outside = ({ href, label }: { readonly href: string | null; readonly label: string }) =>
  href === null ? null : (
    <a href={href} target="_blank" rel="noreferrer">
      {label}
    </a>
  );
