import { run, startService } from '@corner/chassis';
import { readQueueConfig } from './config.ts';
import { queueService } from './service.ts';

const config = () => readQueueConfig(process.env);

await run('queue', config, () => startService(queueService, config()));
