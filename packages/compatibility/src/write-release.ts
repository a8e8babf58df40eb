import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ServiceName } from '@corner/contracts';
import { packArtefact } from './artefact.ts';
import { bundleService } from './bundle.ts';
import { meaningsOf } from './meanings.ts';
import { migrationsOf } from './migrations.ts';
import { type Release, type ReleaseFolders, releasePath } from './released.ts';
import { surfaceOf } from './surface.ts';

/** Releases a service of this checkout under a version. Returns null, and changes nothing, where it is released already: a release is never rewritten. */
export async function writeRelease(service: ServiceName, version: string, to: ReleaseFolders): Promise<Release | null> {
  const path = releasePath(service, version, to);
  if (existsSync(path)) return null;
  const code = packArtefact(await bundleService(service), to);
  const release: Release = { ...surfaceOf(service, version), meanings: meaningsOf(service), migrations: migrationsOf(service), code };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(release, null, 1)}\n`);
  return release;
}
