import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ServiceName } from '@corner/contracts';
import { fileOf } from '@corner/programs';
import { keptReleases, type Release, type ReleaseFolders } from './released.ts';
import { isService } from './surface.ts';

/** Files by their path in the released checkout; each byte is a character. */
export type Artefact = Readonly<Record<string, string>>;

export const sourceOf = (service: ServiceName): string => `services/${service}/src/main.ts`;

const artefactPath = (digest: string, { code }: ReleaseFolders): string => join(code, `${digest}.gz`);
const digestOf = (packed: Buffer): string => createHash('sha256').update(packed).digest('hex');

export function packArtefact(artefact: Artefact, to: ReleaseFolders): string {
  const packed = gzipSync(JSON.stringify(artefact));
  mkdirSync(to.code, { recursive: true });
  writeFileSync(artefactPath(digestOf(packed), to), packed);
  return digestOf(packed);
}

/** Returns the path of the service's program. Throws when its code is missing or differs from what was released. */
export function unpackRelease({ service, version, code }: Release, folder: string, from: ReleaseFolders = keptReleases): string {
  if (code === null || !isService(service)) throw new Error(`the code of ${service} is not kept`);
  const path = artefactPath(code, from);
  if (!existsSync(path))
    throw new Error(`${from.code} lacks ${code}.gz, the code of ${service} ${version}: git keeps the code of last releases only`);
  const packed = readFileSync(path);
  if (digestOf(packed) !== code) throw new Error(`${path} is not the code of ${service} ${version}: its digest is ${digestOf(packed)}`);
  const artefact = JSON.parse(gunzipSync(packed).toString('utf8')) as Artefact;
  for (const [file, content] of Object.entries(artefact)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), Buffer.from(content, 'latin1'));
  }
  return join(folder, fileOf(sourceOf(service)));
}
