import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@corner/contracts';
import { checkout } from './checkout.ts';
import type { Migrations } from './migrations.ts';
import { type EnvelopeSurface, fromSource, type Surface } from './surface.ts';

/** The folder of what was released of a service. */
export const releasedFolder = (service: ServiceName): string => `${import.meta.dirname}/../released/${service}`;

/** Returns the version that a service, the gateway or the console of this checkout has. */
export const versionOf = (name: ServiceName | 'gateway' | 'console'): string =>
  (JSON.parse(readFileSync(`${checkout}/services/${name}/package.json`, 'utf8')) as { readonly version: string }).version;

/** Returns the versions of a service that were released, oldest first. */
export function releasedVersions(service: ServiceName): readonly string[] {
  const folder = releasedFolder(service);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  return files.map((file) => file.replace(/\.json$/, '')).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Returns the last version of a service that was released. Throws when there is none. */
export function lastRelease(service: ServiceName): string {
  const version = releasedVersions(service).at(-1);
  if (version === undefined) throw new Error(`${service} has no release`);
  return version;
}

/** Returns what others could notice of a released version; null when there is no such release. */
export const releasedSurface = (service: ServiceName, version: string): Surface | null => readRelease(service, version);

/** Returns the migrations that a released version had; none when there is no such release. */
export const releasedMigrations = (service: ServiceName, version: string): Migrations => readRelease(service, version)?.migrations ?? {};

/** The file of a release. */
export interface Release extends Surface {
  readonly migrations: Migrations;
}

function readRelease(service: ServiceName, version: string): Release | null {
  const path = `${releasedFolder(service)}/${version}.json`;
  if (!existsSync(path)) return null;
  const { envelope = firstEnvelopeOf(service), ...release } = JSON.parse(readFileSync(path, 'utf8')) as Omit<Release, 'envelope'> &
    Partial<Release>;
  return { ...release, envelope };
}

/** The first releases were written without the envelope of their events, which was the same for all. */
function firstEnvelopeOf(service: ServiceName): EnvelopeSurface {
  const { sent, accepted } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../released/first-envelope.json'), 'utf8'),
  ) as EnvelopeSurface;
  return { sent: fromSource(sent, service), accepted };
}
