import type { ReactNode } from 'react';
import { Empty } from './states.tsx';
import { Instant } from './time.tsx';

/** A row of a log: what happened, when, and who did it. */
export interface LogRow {
  readonly key: string;
  readonly at: string;
  readonly title: string;
  readonly detail?: string | null | undefined;
  /** Null for what no person of the store did. */
  readonly by?: string | null | undefined;
  /** A link to its subject, or a button. */
  readonly more?: ReactNode;
}

interface Props {
  readonly rows: readonly LogRow[];
  readonly zone: string | undefined;
  /** What is said when there is no row. */
  readonly empty: string;
}

/** What happened, as sentences in the order given. */
export const LogList = ({ rows, zone, empty }: Props) =>
  rows.length === 0 ? (
    <Empty title={empty} />
  ) : (
    <ol className="log-list">
      {rows.map(({ key, at, title, detail, by, more }) => (
        <li key={key}>
          <Instant at={at} style="day and time" zone={zone} />
          <div>
            {title}
            {by && <span className="quiet"> by {by}</span>}
            {detail && <p className="quiet">{detail}</p>}
          </div>
          {more}
        </li>
      ))}
    </ol>
  );
