import { useMemo } from 'react';
import { plural } from '../../../logic/format.ts';
import type { StoryFact } from '../../../logic/story.ts';
import { timelineOf } from '../../../logic/timeline.ts';
import { ServiceName, toneOf } from './services.tsx';

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

interface PictureProps {
  readonly facts: readonly StoryFact[];
  readonly only: string | undefined;
  readonly choose: (service: string | undefined) => void;
}

export function Picture({ facts, only, choose }: PictureProps) {
  const timeline = useMemo(() => timelineOf(facts), [facts]);
  return (
    <div className="card timeline">
      {timeline.rows.map(({ service, marks }) => (
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
            {timeline.episodes.map(({ from, to }) => (
              <rect key={from} className="episode" x={percent(from)} width={percent(Math.max(0.004, to - from))} y="0" height="28" rx="4" />
            ))}
            {marks.map(({ x, count }) => (
              <circle key={x} className="mark" cx={percent(x)} cy="14" r={Math.min(9, 4.5 + Math.log2(count))} />
            ))}
          </svg>
        </div>
      ))}
      <Times {...timeline} />
    </div>
  );
}

const mostGaps = 8;

const Times = ({ episodes, gaps }: ReturnType<typeof timelineOf>) => (
  <div className={`timeline-times ${gaps.length > 0 ? 'with-gaps' : ''}`} aria-hidden="true">
    {episodes.map(({ from, to, lasts }) =>
      to - from > 0.08 || episodes.length === 1 ? (
        <span key={from} style={{ left: percent((from + to) / 2) }}>
          {lasts}
        </span>
      ) : null,
    )}
    {gaps.length <= mostGaps
      ? gaps.map(({ at, lasts }) => (
          <span key={at} className="timeline-gap" style={{ left: percent(at) }}>
            {lasts} later
          </span>
        ))
      : null}
  </div>
);
