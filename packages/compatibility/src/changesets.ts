import { readdirSync, readFileSync } from 'node:fs';
import { type ServiceName, services } from '@corner/contracts';
import { checkout } from './checkout.ts';
import { keptReleases, type ReleaseFolders, readRelease, versionOf } from './released.ts';
import { type Surface, surfaceOf } from './surface.ts';

/**
 * Returns a sentence for each service that others can notice a change of, and whose next version no file of `.changeset` describes: so it names the
 * first change since a release, and no later one. A service whose version has no release yet is about to be released, and needs none.
 */
export function missingChangesets({
  surfaces = surfaceOf,
  described = describedServices(),
  releases = keptReleases,
}: Options = {}): readonly string[] {
  return services
    .filter((service) => {
      const version = versionOf(service);
      const released = readRelease(service, version, releases);
      if (released === null || described.includes(service)) return false;
      return noticed(released) !== noticed(surfaces(service, version));
    })
    .map((service) => `${service} has changed for others since ${versionOf(service)}: describe it with npx changeset add`);
}

interface Options {
  readonly surfaces?: typeof surfaceOf;
  readonly described?: readonly ServiceName[];
  readonly releases?: ReleaseFolders;
}

/** What others can notice, without the migrations that the file of a release keeps beside it. */
const noticed = ({ envelope, operations, publishes, consumes, serves, calls }: Surface): string =>
  JSON.stringify([envelope, operations, publishes, consumes, serves, calls]);

/** The services that a file of `.changeset` names. Throws when changesets could not read one of the files. */
function describedServices(): readonly ServiceName[] {
  const folder = `${checkout}/.changeset`;
  const named = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => packagesIn(file, readFileSync(`${folder}/${file}`, 'utf8')));
  return services.filter((service) => named.includes(`@corner/${service}`));
}

/** Returns the packages that the head of a file of `.changeset` names. Throws when it is not as `changeset add` writes it. */
export function packagesIn(file: string, text: string): readonly string[] {
  const [, head] = /^---\n((?:"@corner\/[a-z0-9-]+": (?:major|minor|patch)\n)*)---\n/.exec(text) ?? [];
  if (head === undefined) throw new Error(`.changeset/${file} does not begin with "---", lines such as "@corner/orders": minor, and "---"`);
  return [...head.matchAll(/"(.+)":/g)].map(([, name = '']) => name);
}
