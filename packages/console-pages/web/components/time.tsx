import { ago, clock, type InstantStyle, instant, stopwatch } from '../logic/format.ts';
import { useNow } from './use-now.ts';

export const Instant = ({
  at,
  style = 'day and time',
  zone,
}: {
  readonly at: string;
  readonly style?: InstantStyle;
  readonly zone?: string | undefined;
}) => <Exact at={at} text={instant(at, style, undefined, zone)} zone={zone} />;

export const Ago = ({ at }: { readonly at: string }) => <Exact at={at} text={ago(at, useNow())} />;

export const Clock = ({ at }: { readonly at: string }) => (
  <time className="clock" dateTime={at} title={instant(at, 'exact')}>
    {clock(at)}
  </time>
);

const Exact = ({ at, text, zone }: { readonly at: string; readonly text: string; readonly zone?: string | undefined }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the exact time too
  <time className="exact" dateTime={at} data-exact={instant(at, 'exact', undefined, zone)} tabIndex={0}>
    {text}
  </time>
);

/**
 * The time since an instant. Past `warnAfterMs` it is a warning, then late. With `until` it counts down, warns for the last `warnAfterMs`,
 * and is late at zero.
 */
export function Timer({
  since,
  until,
  warnAfterMs = Number.POSITIVE_INFINITY,
  lateAfterMs = Number.POSITIVE_INFINITY,
}: {
  readonly since?: string;
  readonly until?: string;
  readonly warnAfterMs?: number;
  readonly lateAfterMs?: number;
}) {
  const now = useNow();
  const left = until === undefined ? undefined : Date.parse(until) - now;
  const gone = since === undefined ? 0 : now - Date.parse(since);
  const late = left === undefined ? gone >= lateAfterMs : left <= 0;
  const warn = left === undefined ? gone >= warnAfterMs : left <= warnAfterMs;
  return (
    <span className={`timer ${late ? 'bad' : warn ? 'warn' : ''}`} role="timer">
      {left === undefined ? stopwatch(gone) : left < 0 ? `−${stopwatch(-left)}` : stopwatch(left)}
      {late ? <span className="unseen"> late</span> : null}
    </span>
  );
}
