import { migrateService } from '@corner/chassis/migrate';

await migrateService('orders', `${import.meta.dirname}/../migrations`);
