import { readFileSync, writeFileSync } from 'node:fs';
import { services } from '@corner/contracts';
import { readmeOf, withEntryPoints } from './entry-points.ts';

// The services' modules may hold something open, such as a metric's timer, so the process ends itself.
for (const service of services) writeFileSync(readmeOf(service), await withEntryPoints(readFileSync(readmeOf(service), 'utf8'), service));
process.exit();
