import { lastRelease, unpackRelease } from '@corner/compatibility';
import { type ServiceName, services } from '@corner/contracts';
import type { TestEnvironment } from './test-environment.ts';

/** Names the last releases of services, for a sentence. */
export const released = (names: readonly ServiceName[]): string => names.map((service) => `${service} ${lastRelease(service)}`).join(', ');

/** Returns a function that restarts services until those named run their last release and the others the code of this checkout. */
export function releasesIn({ system, folder }: TestEnvironment): (wanted: readonly ServiceName[]) => Promise<void> {
  let previous: readonly ServiceName[] = [];
  return async (wanted) => {
    const changed = services.filter((service) => previous.includes(service) !== wanted.includes(service));
    previous = wanted;
    await Promise.all(
      changed.map((service) => {
        const program = () => unpackRelease(service, lastRelease(service), `${folder}/released/${service}`);
        return system.services[service].restart(wanted.includes(service) ? { program: program() } : {});
      }),
    );
  };
}
