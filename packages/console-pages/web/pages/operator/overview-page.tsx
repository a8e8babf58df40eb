import type { Figures, Messages, Streams, System } from '@corner/console-api';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { Figure, Icon, Loaded, Page } from '../../components/index.ts';
import { channelsOf, countsOf, deadLettersIn } from '../../logic/figures.ts';
import { count, plural } from '../../logic/format.ts';
import { flowOfAll } from '../../logic/streams.ts';
import { useRead } from '../../shell/queries.ts';
import { LagFigure } from './parts/services.tsx';

export default function Overview() {
  const figures = useRead<Figures>('/api/operator/figures', { every: 5_000 });
  return (
    <Page title="Overview" about="What the platform does at the moment.">
      <Tiles />
      <Loaded of={figures} lines={8}>
        {(data) => (
          <div className="cards wide">
            <PerMinute figures={data} title="Orders a minute" types={orderTypes} />
            <PerMinute figures={data} title="Guests a minute" types={queueTypes} />
            <div className="card">
              <Figure title="Seconds until a guest is called" instants={data.minutes} lines={[{ label: 'average', values: data.waits }]} />
            </div>
            <div className="card">
              <LagFigure figures={data} />
            </div>
            <Deliveries />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const orderTypes = [
  ['paid', 'order.paid'],
  ['refunded', 'order.refunded'],
  ['expired unpaid', 'order.expired'],
] as const;
const queueTypes = [
  ['joined', 'queue.joined'],
  ['called', 'queue.called'],
] as const;

function PerMinute({
  figures,
  title,
  types,
}: {
  readonly figures: Figures;
  readonly title: string;
  readonly types: readonly (readonly [label: string, type: string])[];
}) {
  const lines = useMemo(() => types.map(([label, type]) => ({ label, values: countsOf(figures, type) })), [figures, types]);
  const sum = lines[0]?.values.reduce((total, value) => total + value, 0) ?? 0;
  return (
    <div className="card">
      <Figure title={title} headline={`${count(sum)} in the last hour`} instants={figures.minutes} lines={lines} />
    </div>
  );
}

function Deliveries() {
  const read = useRead<Messages>('/api/operator/messages', { every: 10_000 });
  return (
    <section className="card deliveries">
      <h2>Messages of the last 24 hours</h2>
      <Loaded of={read}>
        {({ counts }) => {
          const channels = channelsOf(counts);
          const most = Math.max(1, ...channels.map(({ total }) => total));
          return channels.length === 0 ? (
            <p className="quiet">No message was created.</p>
          ) : (
            <ul>
              {channels.map(({ channel, total, states }) => {
                const failed = states.find(({ state }) => state === 'failed')?.count ?? 0;
                return (
                  <li key={channel}>
                    <span>{channel}</span>
                    <svg aria-hidden="true" height="12" width="100%">
                      <rect className="bar-all" width={`${(100 * total) / most}%`} height="12" rx="3" />
                      <rect className="bar-failed" width={`${(100 * failed) / most}%`} height="12" rx="3" />
                    </svg>
                    <span className="numeric">{count(total)}</span>
                    <Link href={`/messages?channel=${channel}&state=failed`} className={failed > 0 ? 'cell-error' : 'quiet'}>
                      {count(failed)} failed
                    </Link>
                  </li>
                );
              })}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

function Tiles() {
  const { data: system } = useRead<System>('/api/operator/system', { every: 5_000 });
  const { data: streams } = useRead<Streams>('/api/operator/streams', { every: 5_000 });
  const processes = system?.processes ?? [];
  const notReady = processes.filter(({ ready }) => !ready).map(({ name }) => name);
  const letters = deadLettersIn(processes);
  const flow = flowOfAll(streams?.producers ?? []);
  return (
    <ul className="tiles">
      <Tile
        href="/system"
        title="Processes"
        value={system ? `${processes.length - notReady.length} of ${processes.length} ready` : '…'}
        bad={notReady.length > 0}
        about={notReady.length > 0 ? `${notReady.join(', ')} not ready` : 'all checks pass'}
      />
      <Tile
        href="/dead-letters"
        title="Dead letters"
        value={system ? `${letters.unknown.length > 0 ? 'at least ' : ''}${count(letters.known)}` : '…'}
        bad={letters.known > 0 || letters.unknown.length > 0}
        about={aboutLetters(letters)}
      />
      <Tile
        href="/streams"
        title="Streams"
        value={streams ? (flow.stuck > 0 ? `${flow.stuck} stuck` : flow.unknown.length > 0 ? 'unknown' : 'flowing') : '…'}
        bad={flow.stuck > 0 || flow.unknown.length > 0}
        about={flow.unknown.length > 0 ? `not known of ${flow.unknown.join(', ')}` : `${plural(flow.waiting, 'event')} to process`}
      />
    </ul>
  );
}

function aboutLetters({ known, unknown }: ReturnType<typeof deadLettersIn>): string {
  if (unknown.length > 0) return `not known of ${unknown.join(', ')}`;
  return known > 0 ? 'events whose effects are missing' : 'every event was processed';
}

const Tile = ({
  href,
  title,
  value,
  about,
  bad,
}: {
  readonly href: string;
  readonly title: string;
  readonly value: string;
  readonly about: string;
  readonly bad: boolean;
}) => (
  <li>
    <Link href={href} className={`card tile ${bad ? 'bad' : ''}`}>
      <span className="quiet">{title}</span>
      <strong>{value}</strong>
      <span className="tile-about">
        {bad ? <Icon name="warning" /> : null}
        {about}
      </span>
    </Link>
  </li>
);
