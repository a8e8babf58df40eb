import { run } from '@corner/chassis/edge';
import { gatewayProgram } from './gateway.ts';

await run(gatewayProgram);
