import { run, startService } from '@corner/chassis';
import { readOrdersConfig } from './config.ts';
import { ordersService } from './service.ts';

await run('orders', readOrdersConfig, () => {
  const config = readOrdersConfig();
  return startService(ordersService(config), config);
});
