import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Meanings } from './meanings.ts';
import { checkout, type Migrations } from './migrations.ts';
import type { Part, Surface } from './surface.ts';

/** The file of a release: all that others can notice of it, and what else it must be compared by. */
export interface Release extends Surface {
  readonly meanings: Meanings;
  readonly migrations: Migrations;
  /** The SHA-256 of its packed code, in hexadecimal: the name of the file that holds it. Null for the gateway and the console, whose code is not kept. */
  readonly code: string | null;
}

/** Where releases are kept: the file of each, and the packed code of the last of each service. */
export interface ReleaseFolders {
  readonly files: string;
  readonly code: string;
}

/** The releases of this checkout. */
export const keptReleases: ReleaseFolders = {
  files: join(import.meta.dirname, '../released'),
  code: join(import.meta.dirname, '../released-code'),
};

export const releasePath = (service: Part, version: string, { files }: ReleaseFolders): string => join(files, service, `${version}.json`);

/** Returns the version that a part of this checkout has. */
export const versionOf = (name: Part): string =>
  (JSON.parse(readFileSync(`${checkout}/services/${name}/package.json`, 'utf8')) as { readonly version: string }).version;

/** Returns the versions of a part that were released, oldest first. */
export function releasedVersions(service: Part, from: ReleaseFolders = keptReleases): readonly string[] {
  const folder = join(from.files, service);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  return files.map((file) => file.replace(/\.json$/, '')).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

export function readRelease(service: Part, version: string, from: ReleaseFolders = keptReleases): Release | null {
  const path = releasePath(service, version, from);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Release) : null;
}

export const lastRelease = (service: Part, from: ReleaseFolders = keptReleases): Release | null =>
  readRelease(service, releasedVersions(service, from).at(-1) ?? '', from);
