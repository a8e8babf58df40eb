import { readdirSync, readFileSync } from 'node:fs';
import { type ServiceName, services } from '@corner/contracts';
import { checkout } from './checkout.ts';
import { releasedSurface, versionOf } from './released.ts';
import { type Surface, surfaceOf } from './surface.ts';

/**
 * Returns a sentence for each service that others can notice a change of, and whose next version no file of `.changeset` describes. A service
 * whose version has no release yet is about to be released, and needs none.
 */
export function missingChangesets(surfaces: Surfaces = surfaceOf, described = describedServices()): readonly string[] {
  return services
    .filter((service) => {
      const version = versionOf(service);
      const released = releasedSurface(service, version);
      if (released === null || described.includes(service)) return false;
      return noticed(released) !== noticed(surfaces(service, version));
    })
    .map((service) => `${service} has changed for others since ${versionOf(service)}: describe it with npx changeset add`);
}

type Surfaces = typeof surfaceOf;

/** What others can notice, without the migrations that the file of a release keeps beside it. */
const noticed = (surface: Surface): string => JSON.stringify({ ...surface, migrations: undefined });

/** The services that a file of `.changeset` names. */
function describedServices(): readonly ServiceName[] {
  const folder = `${checkout}/.changeset`;
  const heads = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8').split('---')[1] ?? '');
  return services.filter((service) => heads.some((head) => head.includes(`"@corner/${service}"`)));
}
