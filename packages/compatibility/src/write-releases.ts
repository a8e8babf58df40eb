import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, services } from '@corner/contracts';
import { artefactPath } from './artefact.ts';
import { bundleService } from './bundle.ts';
import { meaningsOf, meaningsPath } from './meanings.ts';
import { migrationsOf } from './migrations.ts';
import { type Release, releasedFolder, releasedSurface, versionOf } from './released.ts';
import { surfaceOf } from './surface.ts';

/** Releases each service whose version has no files yet. What is there stays as it is: a release is never rewritten. */
async function writeReleases(): Promise<readonly string[]> {
  const written: string[] = [];
  for (const service of services) {
    const version = versionOf(service);
    if (releasedSurface(service, version)) continue;
    mkdirSync(releasedFolder(service), { recursive: true });
    const release: Release = { ...surfaceOf(service, version), migrations: migrationsOf(service) };
    writeFileSync(join(releasedFolder(service), `${version}.json`), `${JSON.stringify(release, null, 1)}\n`);
    writeFileSync(meaningsPath(service, version), `${JSON.stringify(meaningsOf(service), null, 1)}\n`);
    await writeCode(service, version);
    written.push(`${service} ${version}`);
  }
  return written;
}

/** Only the code of the last release runs beside this checkout; that of earlier ones is in the history of the repository. */
async function writeCode(service: ServiceName, version: string): Promise<void> {
  const path = artefactPath(service, version);
  if (!existsSync(path)) writeFileSync(path, await bundleService(service));
  for (const file of readdirSync(releasedFolder(service))) {
    const other = join(releasedFolder(service), file);
    if (file.endsWith('.code.br') && other !== path) rmSync(other);
  }
}

const written = await writeReleases();
process.stdout.write(written.length > 0 ? `released ${written.join(', ')}\n` : 'every version is released already\n');
