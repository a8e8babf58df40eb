import type { System } from '@corner/console-api';
import { Link } from 'wouter';
import { Ago, Badge, Loaded, Page } from '../../components/index.ts';
import { useRead } from '../../shell/queries.ts';

export default function SystemPage() {
  const read = useRead<System>('/api/operator/system', { every: 5_000 });
  return (
    <Page title="System" about="Every process: whether it is ready, its checks, its version.">
      <Loaded of={read}>
        {({ processes }) => (
          <ul className="cards">
            {processes.map((process) => (
              <li key={process.name}>
                <Process process={process} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Page>
  );
}

const Process = ({
  process: { name, ready, checks, version, started_at, open_dead_letters },
}: {
  readonly process: System['processes'][number];
}) => (
  <article className={`card process ${ready ? '' : 'bad'}`}>
    <h2>
      {name} <Badge tone={ready ? 'good' : 'bad'}>{ready ? 'ready' : 'not ready'}</Badge>
    </h2>
    <dl className="fields">
      {Object.entries(checks).map(([check, result]) => (
        <div key={check}>
          <dt>{check}</dt>
          <dd className={result === 'ok' ? '' : 'cell-error'}>{result}</dd>
        </div>
      ))}
      <div>
        <dt>version</dt>
        <dd>{version ?? <span className="quiet">unknown</span>}</dd>
      </div>
      <div>
        <dt>started</dt>
        <dd>{started_at ? <Ago at={started_at} /> : <span className="quiet">unknown</span>}</dd>
      </div>
      {open_dead_letters === null ? null : (
        <div>
          <dt>dead letters</dt>
          <dd>{open_dead_letters === 0 ? 'none' : <Link href={`/dead-letters?service=${name}`}>{open_dead_letters} open</Link>}</dd>
        </div>
      )}
    </dl>
  </article>
);
