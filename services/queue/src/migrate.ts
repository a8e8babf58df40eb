import { migrateService } from '@corner/chassis/migrate';

await migrateService('queue', `${import.meta.dirname}/../migrations`);
