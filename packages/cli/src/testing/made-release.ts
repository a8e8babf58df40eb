import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { keptReleases, type Part, releasePath, type Surface, surfaceOf } from '@corner/compatibility';

export function madeRelease(folder: string, service: Part, version: string, change: Partial<Surface> = {}): void {
  const path = releasePath(service, version, { ...keptReleases, files: folder });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ ...surfaceOf(service, version), ...change }));
}
