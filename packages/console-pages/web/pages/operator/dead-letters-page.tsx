import type { DeadLetters } from '@corner/console-api';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Ago, Badge, type Column, Empty, Id, Instant, Loaded, Missing, Page, Table } from '../../components/index.ts';
import { type Group, groupsOf, type Letter } from '../../logic/dead-letter-groups.ts';
import { servicesInOrder } from '../../logic/figures.ts';
import { plural } from '../../logic/format.ts';
import { pathOf } from '../../logic/match-route.ts';
import { useMay } from '../../shell/context.ts';
import { useFilters } from '../../shell/filters.ts';
import { useRead } from '../../shell/queries.ts';
import { RetryGroup } from './parts/retry-group.tsx';
import { ServiceName } from './parts/services.tsx';

const pathOfLetter = ({ service, event_id }: Letter) => pathOf('/dead-letters/:service/:id', { service, id: event_id });

export default function DeadLettersPage() {
  const [search, change] = useFilters();
  const [retrying, retry] = useState<readonly Letter[]>();
  const settled = search.get('settled') === 'true';
  const service = search.get('service') ?? '';
  const read = useRead<DeadLetters>(`/api/operator/dead-letters${settled ? '?settled=true' : ''}`, { every: 5_000 });
  return (
    <Page
      title="Dead letters"
      about="Events that a service could not process after all its attempts. What they should have caused has not happened."
      controls={
        <>
          <select aria-label="Service" value={service} onChange={(event) => change({ service: event.target.value })}>
            <option value="">All services</option>
            {servicesInOrder.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <label className="check">
            <input type="checkbox" checked={settled} onChange={(event) => change({ settled: event.target.checked ? 'true' : '' })} />
            With those settled
          </label>
        </>
      }
    >
      <Loaded of={read}>
        {({ dead_letters, unreachable }) => (
          <>
            <Missing unreachable={unreachable} />
            <Groups letters={service === '' ? dead_letters : dead_letters.filter((letter) => letter.service === service)} retry={retry} />
          </>
        )}
      </Loaded>
      {retrying ? <RetryGroup letters={retrying} onClose={() => retry(undefined)} /> : null}
    </Page>
  );
}

type Retry = (letters: readonly Letter[]) => void;

function Groups({ letters, retry }: { readonly letters: readonly Letter[]; readonly retry: Retry }) {
  const groups = useMemo(() => groupsOf(letters), [letters]);
  if (groups.length === 0) return <Empty title="No dead letters.">Every event that was sent has been processed.</Empty>;
  return (
    <ul className="groups">
      {groups.map((group) => (
        <li key={group.key}>
          <GroupCard group={group} retry={retry} />
        </li>
      ))}
    </ul>
  );
}

const columns: readonly Column<Letter>[] = [
  {
    key: 'event',
    header: 'Event',
    width: '12rem',
    cell: (letter) => (
      <Link href={pathOfLetter(letter)}>
        Open <code>{letter.event_id.slice(0, 8)}…</code>
      </Link>
    ),
  },
  {
    key: 'about',
    header: 'About',
    width: '11rem',
    cell: ({ aggregate_id }) => (aggregate_id ? <Id value={aggregate_id} what="aggregate" /> : <span className="quiet">unknown</span>),
  },
  { key: 'error', header: 'Error', cell: ({ error }) => error },
  {
    key: 'attempts',
    header: 'Attempts',
    width: '7rem',
    numeric: true,
    value: ({ attempts }) => attempts,
    cell: ({ attempts }) => attempts,
  },
  {
    key: 'at',
    header: 'Since',
    width: '9rem',
    value: ({ dead_lettered_at }) => dead_lettered_at,
    cell: ({ dead_lettered_at }) => <Instant at={dead_lettered_at} />,
  },
  {
    key: 'state',
    header: 'State',
    width: '8rem',
    value: ({ settled_as }) => settled_as ?? 'open',
    cell: ({ settled_as }) => <Badge tone={settled_as ? 'quiet' : 'bad'}>{settled_as ?? 'open'}</Badge>,
  },
];

function GroupCard({ group, retry }: { readonly group: Group; readonly retry: Retry }) {
  const { service, type, cause, letters } = group;
  const open = letters.filter(({ settled_at }) => settled_at === null);
  const [shown, setShown] = useState(false);
  const mayAct = useMay('operator:act');
  const [oldest] = letters;
  return (
    <article className="card group">
      <div className="group-head">
        <strong className="group-count">{letters.length}</strong>
        <div>
          <h2>
            <ServiceName name={service} /> <span className="quiet">could not process</span> {type}
          </h2>
          <p className="group-cause">{cause}</p>
          <p className="quiet">
            {open.length === 0 ? 'all settled' : `${plural(open.length, 'is', 'are')} open`}, the oldest since{' '}
            {oldest ? <Ago at={oldest.dead_lettered_at} /> : null}
          </p>
        </div>
        <div className="controls">
          {letters.length === 1 && oldest ? (
            <Link className="button small" href={pathOfLetter(oldest)}>
              Open
            </Link>
          ) : (
            <button type="button" className="small" aria-expanded={shown} onClick={() => setShown(!shown)}>
              {shown ? 'Hide' : 'Show'} each
            </button>
          )}
          {mayAct && open.length > 0 ? (
            <button type="button" className="small primary" onClick={() => retry(open)}>
              Retry {open.length === 1 ? 'it' : `all ${open.length}`}
            </button>
          ) : null}
        </div>
      </div>
      {shown ? <Table caption={`Dead letters of ${service}`} rows={letters} columns={columns} rowKey={({ event_id }) => event_id} /> : null}
    </article>
  );
}
