import { run } from '@corner/chassis';
import { readNotificationsConfig } from './config.ts';
import { startNotifications } from './service.ts';

await run('notifications', readNotificationsConfig, () => startNotifications(readNotificationsConfig()));
