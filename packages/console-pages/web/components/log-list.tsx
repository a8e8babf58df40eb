import type { ReactNode } from 'react';
import { Empty } from './states.tsx';
import { Instant } from './time.tsx';

/** `by` is null for an event that no person of the store caused; `more` links to its subject, or is a button. */
export interface LogRow {
  readonly key: string;
  readonly at: string;
  readonly title: string;
  readonly detail?: string | null | undefined;
  readonly by?: string | null | undefined;
  readonly more?: ReactNode;
}

interface Props {
  readonly rows: readonly LogRow[];
  readonly zone: string | undefined;
  readonly empty: string;
}

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
