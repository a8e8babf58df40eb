import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { packArtefact } from './artefact.ts';
import { bundleService } from './bundle.ts';
import { meaningsOf } from './meanings.ts';
import { migrationsOf } from './migrations.ts';
import { type Release, type ReleaseFolders, releasePath } from './released.ts';
import { isService, type Part, surfaceOf } from './surface.ts';

/** Returns null, and changes nothing, when the version is released already: a release is never rewritten. */
export async function writeRelease(service: Part, version: string, to: ReleaseFolders): Promise<Release | null> {
  const path = releasePath(service, version, to);
  if (existsSync(path)) return null;
  const code = isService(service) ? packArtefact(await bundleService(service), to) : null;
  const release: Release = { ...surfaceOf(service, version), meanings: meaningsOf(service), migrations: migrationsOf(service), code };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(release)}\n`);
  return release;
}
