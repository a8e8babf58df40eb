import type { Proof } from '@corner/console-api';
import { addDays } from '@corner/page-kit/logic/zones';
import { Badge, Loaded, Notice, Page, Section } from '../../../components/index.ts';
import { instant } from '../../../logic/format.ts';
import { useStore } from '../../../shell/context.ts';
import { useFilters } from '../../../shell/filters.ts';
import { useRead } from '../../../shell/queries.ts';
import { useZone } from '../operations.ts';
import { todayIn } from './day.ts';
import { Days } from './days.tsx';
import { mostProvedDays, proofPath, rangeFault } from './report.ts';

export default function ProofPage() {
  const store = useStore();
  const [search, change] = useFilters();
  const zone = useZone();
  const today = todayIn(new Date(), zone);
  const to = search.get('to') ?? today;
  const range = { from: search.get('from') ?? addDays(to, -1), to };
  const fault = rangeFault(range, mostProvedDays);
  const proof = useRead<Proof>(fault ? null : proofPath(store.id, range), { once: true });
  return (
    <Page
      title="Proof"
      about={`${store.name}, ${range.from} to ${to}`}
      controls={<Days range={range} today={today} go={(wanted) => change({ ...wanted })} />}
    >
      <Notice text={fault} />
      {fault === null && <Loaded of={proof}>{(of) => <Links proof={of} zone={zone} />}</Loaded>}
      <p className="quiet">
        The console checked this with the keys that the platform publishes. To trust no server, check it yourself with the command corner
        proof and keys that you kept. Events between the services are for operators to prove.
      </p>
    </Page>
  );
}

const badgeOf = {
  complete: { tone: 'good', children: 'complete' },
  so_far: { tone: 'info', children: 'complete so far' },
  nothing_yet: { tone: 'info', children: 'nothing to prove yet' },
  not_complete: { tone: 'bad', children: 'not complete' },
} as const;

function completeText(links: Proof['links'], at: string): string {
  if (links.every(({ state }) => state === 'nothing_yet')) return 'Nothing to prove yet';
  return `${links.every(({ state }) => state === 'complete') ? 'Complete' : 'Complete so far'}, proved at ${at}`;
}

const Links = ({ proof: { at, complete, links }, zone }: { readonly proof: Proof; readonly zone: string | undefined }) => (
  <Section title={complete ? completeText(links, instant(at, 'time', undefined, zone)) : 'Not complete'}>
    <ul className="cards">
      {links.map(({ link, found, faults, state }) => (
        <li key={link} className="card">
          <h3 className="card-title">
            {link} <Badge {...badgeOf[state]} />
          </h3>
          <p>{found}</p>
          {faults.map((fault) => (
            <p key={fault}>{fault}</p>
          ))}
        </li>
      ))}
    </ul>
  </Section>
);
