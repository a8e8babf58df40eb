import { migrateService } from '@corner/chassis/migrate';

await migrateService('loyalty', `${import.meta.dirname}/../migrations`);
