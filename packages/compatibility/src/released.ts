import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Meanings } from './meanings.ts';
import { checkout, type Migrations } from './migrations.ts';
import type { Part, Surface } from './surface.ts';

export interface Release extends Surface {
  readonly meanings: Meanings;
  readonly migrations: Migrations;
  /**
   * The SHA-256 of its packed code, in hexadecimal, which names the code's file. Null for the gateway and the console, whose code is not
   * kept.
   */
  readonly code: string | null;
}

/** The file of each release, and the packed code of each service's last one. */
export interface ReleaseFolders {
  readonly files: string;
  readonly code: string;
}

export const keptReleases: ReleaseFolders = {
  files: join(import.meta.dirname, '../released'),
  code: join(import.meta.dirname, '../released-code'),
};

export const releasePath = (service: Part, version: string, { files }: ReleaseFolders): string => join(files, service, `${version}.json`);

export const versionOf = (name: Part): string =>
  (JSON.parse(readFileSync(`${checkout}/services/${name}/package.json`, 'utf8')) as { readonly version: string }).version;

/** Returns versions with the oldest first. */
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
