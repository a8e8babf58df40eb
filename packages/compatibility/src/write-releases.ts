import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keptReleases, lastRelease, versionOf } from './released.ts';
import { parts } from './surface.ts';
import { writeRelease } from './write-release.ts';

/** `npm run release`: releases each part whose version is not released yet, and deletes code that no last release has. */
const written: string[] = [];
for (const part of parts) {
  const release = await writeRelease(part, versionOf(part), keptReleases);
  if (release) written.push(`released ${part} ${release.version}${release.code === null ? '' : `; its code is ${release.code}.gz`}\n`);
}
const needed = parts.map((part) => `${lastRelease(part)?.code}.gz`);
for (const file of readdirSync(keptReleases.code)) if (!needed.includes(file)) rmSync(join(keptReleases.code, file));
process.stdout.write(
  written.length > 0
    ? `${written.join('')}Commit ${keptReleases.files} and ${keptReleases.code}.\n`
    : 'every version is released already\n',
);
