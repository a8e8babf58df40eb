import { readdirSync, readFileSync } from 'node:fs';
import { checkout } from './migrations.ts';
import { keptReleases, type ReleaseFolders, readRelease, versionOf } from './released.ts';
import { type Part, parts, type Surface, surfaceOf } from './surface.ts';

/**
 * Returns a sentence for each part with a noticeable change that no file of `.changeset` describes. A part without a release needs none.
 */
export function missingChangesets({
  surfaces = surfaceOf,
  described = describedParts(),
  releases = keptReleases,
}: Options = {}): readonly string[] {
  return parts
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
  readonly described?: readonly Part[];
  readonly releases?: ReleaseFolders;
}

const noticed = ({ envelope, operations, publishes, consumes, serves, calls }: Surface): string =>
  JSON.stringify([envelope, operations, publishes, consumes, serves, calls]);

function changesets(): Readonly<Record<string, string>> {
  const folder = `${checkout}/.changeset`;
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  return Object.fromEntries(files.map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')]));
}

/** Throws when changesets could not read one of the files. */
function describedParts(): readonly Part[] {
  const named = Object.entries(changesets()).flatMap(([file, text]) => packagesIn(file, text));
  return parts.filter((part) => named.includes(`@corner/${part}`));
}

/** Returns the files of `.changeset` without their paragraphs of weight, such as "Weight: 3 files, 120 lines." */
export const withoutWeight = (described: Readonly<Record<string, string>> = changesets()): readonly string[] =>
  Object.entries(described).flatMap(([file, text]) => (/^Weight: \S/m.test(text) || packagesIn(file, text).length === 0 ? [] : [file]));

/** Throws when the head of the file is not as `changeset add` writes it. */
export function packagesIn(file: string, text: string): readonly string[] {
  const [, head] = /^---\n((?:"@corner\/[a-z0-9-]+": (?:major|minor|patch)\n)*)---\n/.exec(text) ?? [];
  if (head === undefined) throw new Error(`.changeset/${file} does not begin with "---", lines such as "@corner/orders": minor, and "---"`);
  return [...head.matchAll(/"(.+)":/g)].map(([, name = '']) => name);
}
