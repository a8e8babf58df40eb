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
import { mostProvedDays, paperText, proofPath, rangeFault } from './report.ts';

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
      controls={<Days range={range} today={today} go={(wanted) => change({ ...wanted, hash: '' })} />}
    >
      <Notice text={fault} />
      {fault === null && <Loaded of={proof}>{(of) => <Links proof={of} zone={zone} paper={search.get('hash')} />}</Loaded>}
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

const verdicts: Readonly<Record<Proof['state'], (at: string) => string>> = {
  complete: (at) => `Complete, proved at ${at}`,
  so_far: (at) => `Complete so far, proved at ${at}`,
  nothing_yet: () => 'Nothing to prove yet',
  not_complete: () => 'Not complete',
};

interface LinksProps {
  readonly proof: Proof;
  readonly zone: string | undefined;
  /** The hash on the paper of a day, whose code opened the page. */
  readonly paper: string | null;
}

const Links = ({ proof: { at, state: verdict, links }, zone, paper }: LinksProps) => (
  <Section title={verdicts[verdict](instant(at, 'time', undefined, zone))}>
    {paper && links.flatMap((of) => (of.hash === undefined ? [] : <p key={of.link}>{paperText(paper, of)}</p>))}
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
