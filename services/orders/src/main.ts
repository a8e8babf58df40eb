import { run, startService } from '@corner/chassis';
import { readOrdersConfig } from './config.ts';
import { ordersService } from './service.ts';

const config = () => readOrdersConfig(process.env);

await run('orders', config, () => startService(ordersService(config()), config()));
