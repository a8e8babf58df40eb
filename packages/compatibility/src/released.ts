import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type ServiceName, services } from '@corner/contracts';
import { type Surface, surfaceOf } from './surface.ts';

const released = `${import.meta.dirname}/../released`;
const checkout = `${import.meta.dirname}/../../..`;

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
export function releasedSurface(service: ServiceName, version: string): Surface | null {
  const path = `${released}/${service}/${version}.json`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Surface) : null;
}

/** Writes the surface of each service whose version has none. A file that is there stays as it is: a release is never rewritten. */
export function writeReleases(): readonly string[] {
  return services.flatMap((service) => {
    const version = versionOf(service);
    if (releasedSurface(service, version)) return [];
    mkdirSync(`${released}/${service}`, { recursive: true });
    writeFileSync(`${released}/${service}/${version}.json`, `${JSON.stringify(surfaceOf(service, version), null, 1)}\n`);
    return [`${service} ${version}`];
  });
}

if (process.argv[1] === import.meta.filename) {
  const written = writeReleases();
  process.stdout.write(written.length > 0 ? `released ${written.join(', ')}\n` : 'every version is released already\n');
}
