import { migrateService } from '@corner/chassis/migrate';

await migrateService('gateway', `${import.meta.dirname}/../migrations`, { backbone: false });
