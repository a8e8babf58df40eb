import { run } from '@corner/chassis';
import { ordersProgram } from './service.ts';

await run(ordersProgram);
