import { run } from '@corner/chassis';
import { readNotificationsConfig } from './config.ts';
import { startNotifications } from './service.ts';

const config = () => readNotificationsConfig(process.env);

await run('notifications', config, () => startNotifications(config()));
