import { migrateService } from '@corner/chassis/migrate';

await migrateService('notifications', `${import.meta.dirname}/../migrations`);
