import { lastRelease, unpackRelease } from '@corner/compatibility';
import { type RequiredService, requiredServices } from '@corner/contracts';
import type { TestEnvironment } from './test-environment.ts';

/** The services that are not named run the code of this checkout. */
export function releasesIn({ system, folder }: TestEnvironment): (wanted: readonly RequiredService[]) => Promise<void> {
  const program = (service: RequiredService): string => {
    const release = lastRelease(service);
    if (!release) throw new Error(`${service} has no release`);
    return unpackRelease(release, `${folder}/released/${service}`);
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
