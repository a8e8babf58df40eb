import { migrateService } from '@corner/chassis/migrate';

await migrateService('directory', `${import.meta.dirname}/../migrations`);
