import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type ServiceName, services } from '@corner/contracts';
import { checkout } from './checkout.ts';
import { type Migrations, migrationsOf } from './migrations.ts';
import { type Surface, surfaceOf } from './surface.ts';

const released = `${import.meta.dirname}/../released`;

/** Returns the version that a service of this checkout has. */
export const versionOf = (service: ServiceName): string =>
  (JSON.parse(readFileSync(`${checkout}/services/${service}/package.json`, 'utf8')) as { readonly version: string }).version;

/** Returns the versions of a service that were released, oldest first. */
export function releasedVersions(service: ServiceName): readonly string[] {
  const folder = `${released}/${service}`;
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.map((file) => file.replace(/\.json$/, '')).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Returns what others could notice of a released version; null when there is no such release. */
export const releasedSurface = (service: ServiceName, version: string): Surface | null => readRelease(service, version);

/** Returns the migrations that a released version had; none when there is no such release. */
export const releasedMigrations = (service: ServiceName, version: string): Migrations => readRelease(service, version)?.migrations ?? {};

interface Release extends Surface {
  readonly migrations: Migrations;
}

function readRelease(service: ServiceName, version: string): Release | null {
  const path = `${released}/${service}/${version}.json`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Release) : null;
}

/** Writes the surface of each service whose version has none. A file that is there stays as it is: a release is never rewritten. */
export function writeReleases(): readonly string[] {
  return services.flatMap((service) => {
    const version = versionOf(service);
    if (releasedSurface(service, version)) return [];
    mkdirSync(`${released}/${service}`, { recursive: true });
    const release: Release = { ...surfaceOf(service, version), migrations: migrationsOf(service) };
    writeFileSync(`${released}/${service}/${version}.json`, `${JSON.stringify(release, null, 1)}\n`);
    return [`${service} ${version}`];
  });
}

if (process.argv[1] === import.meta.filename) {
  const written = writeReleases();
  process.stdout.write(written.length > 0 ? `released ${written.join(', ')}\n` : 'every version is released already\n');
}
