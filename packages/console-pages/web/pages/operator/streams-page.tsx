import type { Figures, Streams } from '@corner/console-api';
import { Ago, Badge, type Column, Icon, Loaded, Missing, Page, Table } from '../../components/index.ts';
import { bytes, count, plural } from '../../logic/format.ts';
import { flowOf, type Producer } from '../../logic/streams.ts';
import { useRead } from '../../shell/queries.ts';
import { LagFigure, ServiceName } from './parts/services.tsx';

type Consumer = Producer['consumers'][number];

const everyMs = 3_000;

export default function StreamsPage() {
  const read = useRead<Streams>('/api/operator/streams', { every: everyMs });
  const figures = useRead<Figures>('/api/operator/figures', { every: 10_000 });
  return (
    <Page title="Streams" about="Events from each producer to each consumer: what waits, since when, and why.">
      <Loaded of={read} lines={8}>
        {({ producers, unreachable }) => (
          <>
            <Missing unreachable={unreachable} />
            {figures.data ? (
              <div className="card stream-lag">
                <LagFigure figures={figures.data} />
              </div>
            ) : null}
            {producers.map((producer) => (
              <ProducerCard key={producer.producer} producer={producer} />
            ))}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const countOrUnknown = (value: number | null) => (value === null ? <span className="quiet">unknown</span> : count(value));

function Complete({ of }: { readonly of: Consumer['complete'] }) {
  if (of === null) return <span className="quiet">unknown</span>;
  return (
    <>
      {count(of.up_to)}
      {of.missing > 0 && of.missing_since !== null ? (
        <>
          {' '}
          <Badge tone="warn">{count(of.missing)} missing</Badge> asked for since <Ago at={of.missing_since} />
        </>
      ) : null}
      {of.lost > 0 ? <span className="quiet">; {count(of.lost)} never processed</span> : null}
    </>
  );
}

const columns: readonly Column<Consumer>[] = [
  { key: 'service', header: 'Consumer', cell: ({ service }) => <ServiceName name={service} /> },
  {
    key: 'pending',
    header: 'Waiting',
    width: '12%',
    numeric: true,
    value: ({ pending }) => pending ?? -1,
    cell: ({ pending }) => countOrUnknown(pending),
  },
  {
    key: 'unacknowledged',
    header: 'In work',
    width: '12%',
    numeric: true,
    value: ({ unacknowledged }) => unacknowledged ?? -1,
    cell: ({ unacknowledged }) => countOrUnknown(unacknowledged),
  },
  {
    key: 'redelivered',
    header: 'Sent again',
    width: '12%',
    numeric: true,
    value: ({ redelivered }) => redelivered ?? -1,
    cell: ({ redelivered }) => countOrUnknown(redelivered),
  },
  {
    key: 'active',
    header: 'Last active',
    width: '16%',
    cell: ({ last_active_at, pending }) =>
      last_active_at ? <Ago at={last_active_at} /> : <span className="quiet">{pending === null ? 'unknown' : 'not yet'}</span>,
  },
  { key: 'complete', header: 'Complete up to', width: '26%', cell: ({ complete }) => <Complete of={complete} /> },
];

const leaderOf = ({ leader, replicas }: { readonly leader: string | null; readonly replicas: number }): string =>
  leader ? `, led by ${leader}` : replicas > 1 ? ', no leader' : '';

function streamText(stream: Producer['stream']): string {
  if (stream === 'unknown') return 'The broker does not say how this stream is.';
  if (stream === null) return 'The broker has no such stream.';
  return `${plural(stream.messages, 'event')}, ${bytes(stream.bytes)}, ${plural(stream.replicas, 'replica')}${leaderOf(stream)}`;
}

const tones = { stuck: 'bad', unknown: 'warn', flowing: 'good' } as const;

function ProducerCard({ producer: of }: { readonly producer: Producer }) {
  const { producer, upstream, stream, unpublished, oldest_unpublished_at, fault, consumers } = of;
  const flow = flowOf(of);
  const faults = [
    { of: producer, text: fault },
    ...consumers.map((consumer) => ({ of: `to ${consumer.service}`, text: consumer.fault && `${consumer.service}: ${consumer.fault}` })),
  ].filter(({ text }) => text !== null);
  return (
    <section className="card producer" aria-label={producer}>
      <div className="section-head">
        <h2>
          <ServiceName name={producer} /> <Badge tone={tones[flow]}>{flow}</Badge>
        </h2>
        <p className="quiet">{streamText(stream)}</p>
      </div>
      {/* A screen reader reads a fault when it appears, and not each time its counts change. */}
      {faults.map(({ of: place, text }) => (
        <div key={place} className="notice" role="alert" aria-relevant="additions">
          <Icon name="warning" />
          <p>{text}</p>
        </div>
      ))}
      <p className={unpublished ? 'outbox waits' : 'outbox'}>
        {upstream ? (
          'The service is left out: an upstream publishes in its place.'
        ) : unpublished === null ? null : unpublished === 0 ? (
          'Every recorded event is published.'
        ) : (
          <>
            {plural(unpublished, 'event')} of the outbox {unpublished === 1 ? 'is' : 'are'} not published yet, the oldest recorded{' '}
            {oldest_unpublished_at ? <Ago at={oldest_unpublished_at} /> : 'at an unknown time'}.
          </>
        )}
      </p>
      {consumers.length === 0 ? (
        <p className="quiet">No service consumes it.</p>
      ) : (
        <Table
          caption={`Consumers of ${producer}`}
          rows={consumers}
          columns={columns}
          rowKey={({ service }) => service}
          rowTone={(consumer) => (consumer.fault ? 'bad' : undefined)}
        />
      )}
    </section>
  );
}
