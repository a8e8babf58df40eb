import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { ServiceName } from '@corner/contracts';

/** The files of a released service, each byte a character, by their path in the checkout that was released. */
export type Artefact = Readonly<Record<string, string>>;

/** Path of a released service's program in its artefact. */
export const programOf = (service: ServiceName): string => `services/${service}/src/main.mjs`;

/** Path of the artefact of a release. */
export const artefactPath = (service: ServiceName, version: string): string =>
  join(import.meta.dirname, '../released', service, `${version}.code.br`);

/** Returns the bytes of an artefact. */
export const packArtefact = (artefact: Artefact): Buffer => brotliCompressSync(JSON.stringify(artefact));

/** Writes the files of a released service to a folder and returns the path of its program. Throws when the release has no artefact. */
export function unpackRelease(service: ServiceName, version: string, folder: string): string {
  const path = artefactPath(service, version);
  if (!existsSync(path))
    throw new Error(`${service} ${version} has no code to run: ${path} is missing; git holds those of earlier releases`);
  const artefact = JSON.parse(brotliDecompressSync(readFileSync(path)).toString('utf8')) as Artefact;
  for (const [file, content] of Object.entries(artefact)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), Buffer.from(content, 'latin1'));
  }
  return join(folder, programOf(service));
}
