import { run } from '@corner/chassis';
import { directoryProgram } from './service.ts';

await run(directoryProgram);
