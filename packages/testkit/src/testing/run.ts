import { join } from 'node:path';
import { findNatsServer, startNats, startPostgres } from '@corner/sandbox/servers';
import { openRunFolder } from '../run-folder.ts';

// Opens a run in the given folder of runs, starts servers, prints their ports, and runs until it is killed.
const folder = await openRunFolder(process.argv[2]);
const postgres = await startPostgres({ dataFolder: join(folder, 'postgres'), durable: false });
const nats = await startNats({ server: await findNatsServer(), storeFolder: join(folder, 'nats') });
console.log(JSON.stringify({ folder, ports: [postgres.port, nats.port] }));
process.stdin.resume();
