import { run } from '@corner/chassis/edge';
import { readGatewayConfig } from './config.ts';
import { startGateway } from './gateway.ts';

await run('gateway', readGatewayConfig, () => startGateway(readGatewayConfig()));
