import type { Messages, Story } from '@corner/console-api';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Badge, Empty, Id, Instant, Loaded, Missing, Page, Section } from '../../components/index.ts';
import { plural, shortId } from '../../logic/format.ts';
import { pathOf } from '../../logic/match-route.ts';
import { orderOf, servicesOf } from '../../logic/story.ts';
import { usePage } from '../../shell/context.ts';
import { useRead } from '../../shell/queries.ts';
import { keepRecent } from '../../shell/recent.ts';
import { type FactsAs, FactTable } from './parts/fact-table.tsx';
import { MessageTable } from './parts/message-table.tsx';
import { Picture } from './parts/picture.tsx';
import { IdSearch } from './story-search-page.tsx';

export default function StoryPage() {
  const { params } = usePage();
  const id = params.id ?? '';
  const story = useRead<Story>(`/api/operator/stories/${encodeURIComponent(id)}`, { readAgainFor: { subjects: [id] } });
  useEffect(() => keepRecent(id), [id]);
  return (
    <Page title={`Story of ${shortId(id)}`} about={<Id value={id} whole />} controls={<IdSearch />}>
      <Loaded of={story} lines={8}>
        {(data) => <WholeStory story={data} />}
      </Loaded>
    </Page>
  );
}

function WholeStory({ story }: { readonly story: Story }) {
  const { facts, dead_letters: letters, unreachable } = story;
  const services = useMemo(() => servicesOf(facts), [facts]);
  const [only, setOnly] = useState<string>();
  const [as, setAs] = useState<FactsAs>('sentences');
  const shown = useMemo(() => (only === undefined ? facts : facts.filter(({ service }) => service === only)), [facts, only]);
  const order = orderOf(story);
  return (
    <>
      <Missing unreachable={unreachable} />
      {letters.map((letter) => (
        <div key={`${letter.service} ${letter.event_id}`} className={`notice ${letter.settled_at ? 'info' : ''}`}>
          <p>
            <b>{letter.service}</b> could not process <b>{letter.type}</b>: {letter.error}{' '}
            {letter.settled_as
              ? `It was ${letter.settled_as} by ${letter.settled_by}: ${letter.settled_reason ?? 'no reason is on record'}.`
              : ''}
          </p>
          <Link className="button small" href={pathOf('/dead-letters/:service/:id', { service: letter.service, id: letter.event_id })}>
            Open the dead letter
          </Link>
        </div>
      ))}
      {facts.length === 0 ? (
        <Empty title="Nothing is on record about this id.">
          Old records are deleted after a while. Ids are looked for as they are, so check for a missing character.
        </Empty>
      ) : (
        <>
          <Section title="Over time">
            <Picture facts={facts} only={only} choose={setOnly} />
          </Section>
          <Section
            title={only === undefined ? plural(facts.length, 'fact') : `${plural(shown.length, 'fact')} of ${only}`}
            controls={<HowShown as={as} setAs={setAs} services={services} only={only} setOnly={setOnly} />}
          >
            <FactTable facts={shown} as={as} />
          </Section>
        </>
      )}
      {order === undefined ? null : <Sent orderId={order} />}
    </>
  );
}

function HowShown({
  as,
  setAs,
  services,
  only,
  setOnly,
}: {
  readonly as: FactsAs;
  readonly setAs: (as: FactsAs) => void;
  readonly services: readonly string[];
  readonly only: string | undefined;
  readonly setOnly: (service: string | undefined) => void;
}) {
  return (
    <div className="controls">
      <select aria-label="Service" value={only ?? ''} onChange={(event) => setOnly(event.target.value || undefined)}>
        <option value="">All services</option>
        {services.map((service) => (
          <option key={service}>{service}</option>
        ))}
      </select>
      <div className="tabs">
        {(['sentences', 'records'] as const).map((each) => (
          <button key={each} type="button" className="small" aria-pressed={as === each} onClick={() => setAs(each)}>
            {each === 'sentences' ? 'Sentences' : 'Raw facts'}
          </button>
        ))}
      </div>
    </div>
  );
}

function Sent({ orderId }: { readonly orderId: string }) {
  const path = `/api/operator/messages?order_id=${encodeURIComponent(orderId)}`;
  const { data } = useRead<Messages>(path, { readAgainFor: { types: ['notification.'], subjects: [orderId] } });
  if (data === undefined || data.messages.length === 0) return null;
  const failed = data.messages.filter(({ state }) => state === 'failed').length;
  return (
    <Section title="Messages" controls={failed > 0 ? <Badge tone="bad">{plural(failed, 'failure')}</Badge> : null}>
      <MessageTable messages={data.messages} />
      <p className="quiet">
        The newest is of <Instant at={data.messages[0]?.created_at ?? ''} />.
      </p>
    </Section>
  );
}
