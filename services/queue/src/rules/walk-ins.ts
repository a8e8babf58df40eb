import type { ChangedBy } from '@corner/contracts';

/**
 * Returns whether a store takes walk-ins at `now` (epoch milliseconds); if not, the reason that lasts longest and until when, with the
 * reasons that follow on from it. Null for no known end.
 */
export function walkInsAt(settings: WalkInSettings, now: number): WalkIns {
  if (!settings.accepted) return { open: false, until: null, reason: 'store', by: null };
  const [longest] = reasonsAt(settings, now).toSorted(
    (a, b) => (b.until ?? Number.POSITIVE_INFINITY) - (a.until ?? Number.POSITIVE_INFINITY),
  );
  if (!longest) return { open: true, until: null, reason: null, by: null };
  const then = longest.until === null ? null : walkInsAt(settings, longest.until);
  return { open: false, ...longest, until: then && !then.open ? then.until : longest.until };
}

function reasonsAt(settings: WalkInSettings, now: number): ClosedWalkIns[] {
  const { pausedUntil, closures } = settings;
  const off = switchedOffAt(settings, now);
  const isPaused = pausedUntil !== null && pausedUntil > now;
  return [
    ...(off ? [{ until: off.until, reason: 'switch' as const, by: off.by }] : []),
    ...(isPaused ? [{ until: pausedUntil, reason: 'pause' as const, by: null }] : []),
    ...closures.filter(({ from, to }) => from <= now && now < to).map(({ to }) => ({ until: to, reason: 'closure' as const, by: null })),
  ];
}

export const switchedOffAt = ({ switched }: Pick<WalkInSettings, 'switched'>, now: number): WalkInSwitch | null =>
  switched && !switched.open && (switched.until === null || switched.until > now) ? switched : null;

/** Does not name `by`: customers read it. */
export function walkInsRefusal({ reason, until }: WalkIns, timeZone: string): string {
  const end = until === null ? 'at the moment' : `until ${timeAtStore(until, timeZone)}`;
  return reason === 'closure' ? `The store is closed ${end}.` : `The store takes no walk-ins ${end}.`;
}

/** Returns text such as `Friday 1 May at 17:00`. */
export function timeAtStore(instant: number, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
  const day = local.toLocaleString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
  return `${day} at ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`;
}

/** Instants are epoch milliseconds. */
export interface WalkInSettings {
  readonly accepted: boolean;
  readonly closures: readonly { readonly from: number; readonly to: number }[];
  readonly pausedUntil: number | null;
  readonly switched: WalkInSwitch | null;
}

export interface WalkInSwitch {
  readonly open: boolean;
  readonly until: number | null;
  readonly by: ChangedBy;
}

export interface WalkIns {
  readonly open: boolean;
  readonly until: number | null;
  readonly reason: 'switch' | 'pause' | 'closure' | 'store' | null;
  readonly by: ChangedBy | null;
}

type ClosedWalkIns = Pick<WalkIns, 'until' | 'reason' | 'by'>;
