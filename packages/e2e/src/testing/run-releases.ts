import { lastRelease, unpackRelease } from '@corner/compatibility';
import { events, producersFor, type RequiredService, requiredServices } from '@corner/contracts';
import type { TestEnvironment } from './test-environment.ts';

/**
 * Returns the invariants that last releases cannot hold: that they have processed the events of a service that they did not read yet. Those
 * events wait in the stream for the current code.
 */
export const waitingWith = (released: readonly RequiredService[]): readonly string[] =>
  released.flatMap((consumer) => {
    const consumed = lastRelease(consumer)?.consumes ?? {};
    const read = events.filter(({ type, version }) => consumed[`${type}/v${version}`]).flatMap(({ producers }) => producers);
    return producersFor(consumer)
      .filter((producer) => !read.includes(producer))
      .flatMap((producer) => ['event', 'number'].map((each) => `${consumer} has processed every ${each} of ${producer}`));
  });

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
