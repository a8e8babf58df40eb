import { run } from '@corner/chassis';
import { queueProgram } from './service.ts';

await run(queueProgram);
