import { services } from '@corner/contracts';
import { keptReleases, versionOf } from './released.ts';
import { writeRelease } from './write-release.ts';

/** `npm run release`: releases each service whose version is not released yet. */
const written: string[] = [];
for (const service of services) {
  const release = await writeRelease(service, versionOf(service), keptReleases);
  if (release) written.push(`released ${service} ${release.version}; its code is ${release.code}.gz\n`);
}
process.stdout.write(
  written.length > 0
    ? `${written.join('')}Commit ${keptReleases.files}. Git ignores ${keptReleases.code}: keep its new files where images are kept.\n`
    : 'every version is released already\n',
);
