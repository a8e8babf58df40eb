import { keptReleases, versionOf } from './released.ts';
import { parts } from './surface.ts';
import { writeRelease } from './write-release.ts';

/** `npm run release`: releases each part whose version is not released yet. */
const written: string[] = [];
for (const part of parts) {
  const release = await writeRelease(part, versionOf(part), keptReleases);
  if (release) written.push(`released ${part} ${release.version}${release.code === null ? '' : `; its code is ${release.code}.gz`}\n`);
}
process.stdout.write(
  written.length > 0
    ? `${written.join('')}Commit ${keptReleases.files}. Git ignores ${keptReleases.code}: keep its new files where images are kept.\n`
    : 'every version is released already\n',
);
