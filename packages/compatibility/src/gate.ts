import { type ServiceName, services } from '@corner/contracts';
import { type Break, eventsRefused, refusedBetween, takenFromOutside } from './breaks.ts';
import { meaningsMoved, meaningsOf } from './meanings.ts';
import { keptReleases, lastRelease, type ReleaseFolders, readRelease, releasedVersions } from './released.ts';
import { type Surface, surfaceOf } from './surface.ts';

/** What was released: every version of each service, oldest first. */
export type Releases = Readonly<Record<ServiceName, readonly Surface[]>>;

/** Returns the surfaces of all releases. */
export const readReleases = (from: ReleaseFolders = keptReleases): Releases => {
  const of = (service: ServiceName) => releasedVersions(service, from).flatMap((version) => readRelease(service, version, from) ?? []);
  return { orders: of('orders'), loyalty: of('loyalty'), queue: of('queue'), notifications: of('notifications') };
};

/** Returns the surfaces of this checkout, as a version called `next`. */
export const nextSurfaces = (): readonly Surface[] => services.map((service) => surfaceOf(service, 'next'));

/**
 * Returns what a deployment of the next version of any one service would break, with every other service and a replica of its own at their
 * last releases: what either side refuses of the other, what is taken from apps and subscribers, and stored events of any release that
 * its handlers refuse.
 */
export function breaksOf(next: readonly Surface[], releases: Releases): readonly Break[] {
  const deployed = services.flatMap((service) => releases[service].slice(-1));
  const stored = Object.values(releases).flat();
  const found = next.flatMap((one) => [
    ...deployed.flatMap((other) => [...refusedBetween(one, other), ...refusedBetween(other, one)]),
    ...deployed.filter(({ service }) => service === one.service).flatMap((before) => takenFromOutside(before, one)),
    ...stored.flatMap((producer) => eventsRefused(producer, one)),
  ]);
  return [...new Set(found)].sort();
}

/** Returns what events, RPCs and problems of this checkout mean otherwise than the last release of their service says. */
export const movedSinceReleases = (from: ReleaseFolders = keptReleases): readonly Break[] =>
  services.flatMap((service) => {
    const last = lastRelease(service, from);
    return last ? meaningsMoved(service, last.meanings, meaningsOf(service)) : [];
  });
