import type { DeadLetter, DeadLetterResult, Story } from '@corner/console-api';
import { useState } from 'react';
import { Badge, ConfirmWithReason, Empty, Icon, Id, Instant, Loaded, Page, Section } from '../../components/index.ts';
import { shortId } from '../../logic/format.ts';
import { RequestFailed, sentence } from '../../logic/refusal.ts';
import { announce } from '../../shell/announce.tsx';
import { useMay, usePage } from '../../shell/context.ts';
import { readAgain, useRead } from '../../shell/queries.ts';
import { request } from '../../shell/request.ts';
import { FactTable } from './parts/fact-table.tsx';
import { Payload } from './parts/payload.tsx';

export default function DeadLetterPage() {
  const { params } = usePage();
  const path = `/api/operator/dead-letters/${encodeURIComponent(params.service ?? '')}/${encodeURIComponent(params.id ?? '')}`;
  const read = useRead<DeadLetter>(path);
  return (
    <Page title={`Dead letter ${shortId(params.id ?? '')}`} about={<Id value={params.id ?? ''} what="event" whole />}>
      <Loaded of={read} lines={8}>
        {(letter) => (
          <>
            <Summary letter={letter} path={path} />
            <div className="cards">
              <Envelope letter={letter} />
              <Payload letter={letter} path={path} />
            </div>
            <Became eventId={letter.event_id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Summary({ letter, path }: { readonly letter: DeadLetter; readonly path: string }) {
  const mayAct = useMay('operator:act');
  const [decision, decide] = useState<Decision>();
  const open = letter.settled_at === null;
  return (
    <section className={`card letter ${open ? 'bad' : ''}`} aria-label="Summary">
      <p>
        <Badge tone={open ? 'bad' : 'good'}>{letter.settled_as ?? 'open'}</Badge> <b>{letter.service}</b> could not process{' '}
        <b>{letter.type}</b> since <Instant at={letter.dead_lettered_at} />, after {letter.attempts} attempts.
      </p>
      <p className="letter-error">
        <Icon name="warning" /> {letter.error}
      </p>
      {letter.settled_at ? (
        <p>
          It was {letter.settled_as} by {letter.settled_by} on <Instant at={letter.settled_at} />
          {letter.settled_reason ? `: ${letter.settled_reason}` : '.'}
        </p>
      ) : null}
      {open && mayAct ? (
        <div className="controls">
          <button type="button" className="primary" onClick={() => decide('retry')}>
            <Icon name="retry" />
            Retry
          </button>
          <button type="button" onClick={() => decide('discard')}>
            Discard
          </button>
        </div>
      ) : null}
      {decision ? <DecisionDialog decision={decision} path={path} onClose={() => decide(undefined)} /> : null}
    </section>
  );
}

type Decision = 'retry' | 'discard';

const decisions = {
  retry: {
    label: 'Retry',
    title: 'Retry this event',
    suggestions: ['the cause is repaired', 'a dependency is back'],
    about: 'The service processes the event now. Its effects happen once, however often it is retried.',
  },
  discard: {
    label: 'Discard',
    title: 'Discard this event',
    suggestions: ['a test', 'repaired by hand'],
    about: 'The event will never be processed. The effects it should have had do not happen.',
  },
} as const;

interface DecisionProps {
  readonly decision: Decision;
  readonly path: string;
  readonly onClose: () => void;
}

function DecisionDialog({ decision, path, onClose }: DecisionProps) {
  const { about, ...texts } = decisions[decision];
  const act = async (reason: string) => {
    const { outcome, detail } = await request<DeadLetterResult>(`${path}/${decision}`, { method: 'POST', body: { reason } });
    await readAgain('/api/operator/dead-letters', '/api/operator/stories');
    if (outcome === 'failed' || outcome === 'not open')
      throw new RequestFailed(200, outcome.toUpperCase(), sentence(detail ?? `It ${outcome}`));
    announce(outcome === 'retried' ? 'The event was processed. What became of it is below.' : 'The dead letter was discarded.');
  };
  return (
    <ConfirmWithReason {...texts} danger={decision === 'discard'} act={act} onClose={onClose}>
      <p>{about}</p>
    </ConfirmWithReason>
  );
}

const Envelope = ({ letter: { envelope, aggregate_id } }: { readonly letter: DeadLetter }) => (
  <section className="card">
    <h2>Envelope</h2>
    {envelope === null ? <p>The message is not an event.</p> : null}
    <dl className="fields">
      {aggregate_id ? (
        <div>
          <dt>about</dt>
          <dd>
            <Id value={aggregate_id} what="aggregate" />
          </dd>
        </div>
      ) : null}
      {Object.entries(envelope ?? {})
        .filter(([name]) => name !== 'data')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' && uuid.test(value) ? <Id value={value} what={name} /> : <code>{textOf(value)}</code>}</dd>
          </div>
        ))}
    </dl>
  </section>
);

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function Became({ eventId }: { readonly eventId: string }) {
  const story = useRead<Story>(`/api/operator/stories/${encodeURIComponent(eventId)}`, { readAgainFor: { subjects: [eventId] } });
  return (
    <Section title="What became of the event">
      <Loaded of={story}>
        {({ facts }) => (facts.length === 0 ? <Empty title="Nothing is on record about this event." /> : <FactTable facts={facts} />)}
      </Loaded>
    </Section>
  );
}
