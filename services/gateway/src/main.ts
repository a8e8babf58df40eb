import { run } from '@corner/chassis/edge';
import { readGatewayConfig } from './config.ts';
import { startGateway } from './gateway.ts';

const config = () => readGatewayConfig(process.env);

await run('gateway', config, () => startGateway(config()));
