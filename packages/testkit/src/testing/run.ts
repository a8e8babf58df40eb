import { join } from 'node:path';
import { findNatsServer, startNats, startPostgres } from '@corner/sandbox/servers';
import { openRunFolder } from '../run-folder.ts';

const folder = await openRunFolder(process.argv[2]);
const postgres = await startPostgres({ dataFolder: join(folder, 'postgres'), durable: false });
const nats = await startNats({ server: await findNatsServer(), storeFolder: join(folder, 'nats') });
console.log(JSON.stringify({ folder, ports: [postgres.port, nats.port] }));
process.stdin.resume();
