import { run, startService } from '@corner/chassis';
import { readLoyaltyConfig } from './config.ts';
import { loyaltyService } from './service.ts';

await run('loyalty', readLoyaltyConfig, () => {
  const config = readLoyaltyConfig();
  return startService(loyaltyService(config), config);
});
