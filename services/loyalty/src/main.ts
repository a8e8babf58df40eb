import { run, startService } from '@corner/chassis';
import { readLoyaltyConfig } from './config.ts';
import { loyaltyService } from './service.ts';

const config = () => readLoyaltyConfig(process.env);

await run('loyalty', config, () => startService(loyaltyService(config()), config()));
