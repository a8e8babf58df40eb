import { type Break, eventsRefused, refusedBetween, takenFromOutside } from './breaks.ts';
import { meaningsMoved, meaningsOf } from './meanings.ts';
import { keptReleases, lastRelease, type ReleaseFolders, readRelease, releasedVersions } from './released.ts';
import { type Part, parts, type Surface, surfaceOf } from './surface.ts';

/** Releases with the oldest first. A part without a release is absent. */
export type Releases = Readonly<Partial<Record<Part, readonly Surface[]>>>;

/** Deliberate breaks of the next release: the sentence of the check, and why no dependent is left. */
export const allowedBreaks: readonly { readonly break: Break; readonly why: string }[] = [];

export const readReleases = (from: ReleaseFolders = keptReleases): Releases =>
  Object.fromEntries(
    parts.map((part) => [part, releasedVersions(part, from).flatMap((version) => readRelease(part, version, from) ?? [])]),
  );

export const nextSurfaces = (): readonly Surface[] => parts.map((part) => surfaceOf(part, 'next'));

/**
 * Returns the breaks of deploying the next version of any one part beside the last releases: refusals of either side, losses of others, and
 * stored events of any release that its handlers refuse.
 */
export function breaksOf(next: readonly Surface[], releases: Releases, now = new Date()): readonly Break[] {
  const deployed = Object.values(releases).flatMap((versions) => versions.slice(-1));
  const stored = Object.values(releases).flat();
  const found = next.flatMap((one) => [
    ...deployed.flatMap((other) => [...refusedBetween(one, other), ...refusedBetween(other, one)]),
    ...deployed.filter(({ service }) => service === one.service).flatMap((before) => takenFromOutside(before, one, now)),
    ...stored.flatMap((producer) => eventsRefused(producer, one)),
  ]);
  return [...new Set(found)].sort();
}

export const movedSinceReleases = (from: ReleaseFolders = keptReleases): readonly Break[] =>
  parts.flatMap((part) => {
    const last = lastRelease(part, from);
    return last ? meaningsMoved(part, last.meanings, meaningsOf(part)) : [];
  });
