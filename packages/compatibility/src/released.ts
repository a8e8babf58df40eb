import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@corner/contracts';
import { checkout } from './checkout.ts';
import type { Meanings } from './meanings.ts';
import type { Migrations } from './migrations.ts';
import type { Surface } from './surface.ts';

/** The file of a release: all that others can notice of it, and what else it must be compared by. */
export interface Release extends Surface {
  readonly meanings: Meanings;
  readonly migrations: Migrations;
  /** The SHA-256 of its packed code, in hexadecimal: the name of the file that holds it. */
  readonly code: string;
}

/** Where releases are kept: their files, which git holds, and their packed code, which it does not. */
export interface ReleaseFolders {
  readonly files: string;
  readonly code: string;
}

/** The releases of this checkout. There are none before the first: then neither folder exists. */
export const keptReleases: ReleaseFolders = {
  files: join(import.meta.dirname, '../released'),
  code: join(import.meta.dirname, '../released-code'),
};

/** Path of the file of a release. */
export const releasePath = (service: ServiceName, version: string, { files }: ReleaseFolders): string =>
  join(files, service, `${version}.json`);

/** Returns the version that a service, the gateway or the console of this checkout has. */
export const versionOf = (name: ServiceName | 'gateway' | 'console'): string =>
  (JSON.parse(readFileSync(`${checkout}/services/${name}/package.json`, 'utf8')) as { readonly version: string }).version;

/** Returns the versions of a service that were released, oldest first. */
export function releasedVersions(service: ServiceName, from: ReleaseFolders = keptReleases): readonly string[] {
  const folder = join(from.files, service);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  return files.map((file) => file.replace(/\.json$/, '')).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Returns a release; null when there is none of this version. */
export function readRelease(service: ServiceName, version: string, from: ReleaseFolders = keptReleases): Release | null {
  const path = releasePath(service, version, from);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Release) : null;
}

/** Returns the last release of a service; null before its first. */
export const lastRelease = (service: ServiceName, from: ReleaseFolders = keptReleases): Release | null =>
  readRelease(service, releasedVersions(service, from).at(-1) ?? '', from);
