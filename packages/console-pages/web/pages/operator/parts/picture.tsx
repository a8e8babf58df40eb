import { useMemo } from 'react';
import { plural } from '../../../logic/format.ts';
import type { StoryFact } from '../../../logic/story.ts';
import { timelineOf } from '../../../logic/timeline.ts';
import { ServiceName, toneOf } from './services.tsx';

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/**
 * A row for each service over time; long gaps are left out and named. The table below says the same, so a screen reader gets a sentence for each
 * row only. The name of a row shows its facts alone.
 */
export function Picture({
  facts,
  only,
  choose,
}: {
  readonly facts: readonly StoryFact[];
  readonly only: string | undefined;
  readonly choose: (service: string | undefined) => void;
}) {
  const { rows, episodes, gaps } = useMemo(() => timelineOf(facts), [facts]);
  return (
    <div className="card timeline">
      {rows.map(({ service, marks }) => (
        <div key={service} className={`timeline-row ${only !== undefined && only !== service ? 'faded' : ''}`}>
          <button
            type="button"
            className="plain"
            aria-pressed={only === service}
            onClick={() => choose(only === service ? undefined : service)}
          >
            <ServiceName name={service} />
            <span className="unseen">
              {plural(
                marks.reduce((sum, { count }) => sum + count, 0),
                'fact',
              )}
            </span>
          </button>
          <svg className={toneOf(service)} aria-hidden="true" height="28" width="100%">
            {episodes.map(({ from, to }) => (
              <rect key={from} className="episode" x={percent(from)} width={percent(Math.max(0.004, to - from))} y="0" height="28" rx="4" />
            ))}
            {marks.map(({ x, count }) => (
              <circle key={x} className="mark" cx={percent(x)} cy="14" r={Math.min(9, 4.5 + Math.log2(count))} />
            ))}
          </svg>
        </div>
      ))}
      <div className={`timeline-times ${gaps.length > 0 ? 'with-gaps' : ''}`} aria-hidden="true">
        {episodes.map(({ from, to, lasts }) =>
          to - from > 0.08 || episodes.length === 1 ? (
            <span key={from} style={{ left: percent((from + to) / 2) }}>
              {lasts}
            </span>
          ) : null,
        )}
        {gaps.length <= 8
          ? gaps.map(({ at, lasts }) => (
              <span key={at} className="timeline-gap" style={{ left: percent(at) }}>
                {lasts} later
              </span>
            ))
          : null}
      </div>
    </div>
  );
}
