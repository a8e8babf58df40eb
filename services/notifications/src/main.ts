import { run, startService } from '@corner/chassis';
import { readNotificationsConfig } from './config.ts';
import { notificationsService } from './service.ts';

const config = () => readNotificationsConfig(process.env);

await run('notifications', config, () => startService(notificationsService, config()));
