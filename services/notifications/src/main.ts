import { run } from '@corner/chassis';
import { notificationsProgram } from './service.ts';

await run(notificationsProgram);
