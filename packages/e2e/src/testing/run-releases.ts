import { keptReleases, lastRelease, type ReleaseFolders, unpackRelease } from '@corner/compatibility';
import { writeRelease } from '@corner/compatibility/write-release';
import { type RequiredService, requiredServices } from '@corner/contracts';
import type { TestEnvironment } from './test-environment.ts';

/** Whether every service has a release. Before that there is nothing to run beside the checkout. */
export const everyServiceReleased = requiredServices.every((service) => lastRelease(service) !== null);

export async function makeReleases(folder: string): Promise<ReleaseFolders> {
  const made = { files: `${folder}/released`, code: `${folder}/released-code` };
  for (const service of requiredServices) await writeRelease(service, '1.0.0', made);
  return made;
}

/** Returns a function that restarts services until those named run their last release and the others the code of this checkout. */
export function releasesIn(
  { system, folder }: TestEnvironment,
  from: ReleaseFolders = keptReleases,
): (wanted: readonly RequiredService[]) => Promise<void> {
  const program = (service: RequiredService): string => {
    const release = lastRelease(service, from);
    if (!release) throw new Error(`${service} has no release`);
    return unpackRelease(release, `${folder}/released/${service}`, from);
  };
  let previous: readonly RequiredService[] = [];
  return async (wanted) => {
    const changed = requiredServices.filter((service) => previous.includes(service) !== wanted.includes(service));
    previous = wanted;
    await Promise.all(
      changed.map((service) => system.services[service].restart(wanted.includes(service) ? { program: program(service) } : {})),
    );
  };
}
