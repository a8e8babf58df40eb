import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@corner/contracts';
import { fileOf } from '@corner/programs';
import { bundlePrograms } from '@corner/programs/bundle';
import { type Artefact, sourceOf } from './artefact.ts';
import { checkout } from './migrations.ts';

export async function bundleService(service: ServiceName): Promise<Artefact> {
  const programs = await bundlePrograms([sourceOf(service)], { checkout, minify: true });
  const files = globSync(
    [`services/${service}/{package.json,migrations/*.sql,src/**/*.png}`, 'packages/chassis/{package.json,migrations/*.sql}'],
    { cwd: checkout },
  );
  return Object.fromEntries([
    ...programs.map(({ source, code }) => [fileOf(source), Buffer.from(code).toString('latin1')]),
    ...files.sort().map((file) => [file, readFileSync(join(checkout, file)).toString('latin1')]),
  ]);
}
