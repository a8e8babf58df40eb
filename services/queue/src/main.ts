import { run, startService } from '@corner/chassis';
import { readQueueConfig } from './config.ts';
import { queueService } from './service.ts';

await run('queue', readQueueConfig, () => startService(queueService, readQueueConfig()));
