import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '@corner/sandbox/system';
import pg from 'pg';
import type { Customers } from '../load/customers.ts';
import type { BenchStore } from '../system/bench-stores.ts';
import { benchApplication } from '../system/bench-system.ts';
import type { Processes } from '../system/processor-time.ts';
import type { Hosted } from './host-system.ts';

export interface Side extends Processes, AsyncDisposable {
  readonly name: string;
  readonly system: Processes['system'] & Pick<Hosted, 'gatewayUrl' | 'paymentsUrl'>;
  readonly stores: readonly BenchStore[];
  readonly customers: Customers;
  settle(): Promise<void>;
}

export async function startSide(name: string, folder: string): Promise<Side> {
  const host = fork(join(import.meta.dirname, 'host-system.ts'), [folder], { cwd: folder, execPath: `${folder}/node_modules/.bin/node` });
  const exited = once(host, 'exit').then(() => {
    throw new Error(`the system of ${name} has ended`);
  });
  exited.catch(() => {});
  const nextMessage = async <Message>(): Promise<Message> => ((await Promise.race([once(host, 'message'), exited])) as [Message])[0];
  const { databaseUrl, stores, customers, processes, ...urls } = await nextMessage<Hosted>();
  const database = new pg.Pool({ connectionString: databaseUrl, max: 2, idleTimeoutMillis: 0, application_name: benchApplication });
  database.on('error', () => {});
  return {
    name,
    system: { ...processes, ...urls },
    database,
    stores,
    customers: { ids: customers.map(({ id }) => id), headers: (i) => customers[i % customers.length]?.headers ?? {} },
    async settle() {
      host.send('settle');
      await nextMessage();
    },
    async [Symbol.asyncDispose]() {
      await database.end();
      host.disconnect();
      await exited.catch(() => {});
    },
  };
}

/** Returns a folder with the files of a commit and its packages, which stays for the next run. Throws for an unknown commit. */
export async function checkoutOf(commit: string): Promise<string> {
  const folder = `${checkout}/.corner/cost/${commit}`;
  if (existsSync(folder)) return folder;
  const making = `${folder}.making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  const run = (command: string) => execFileSync('sh', ['-c', command], { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
  run(`git archive ${commit} | tar -x -C '${making}'`);
  await rename(making, folder);
  try {
    run(`cd '${folder}' && npx --yes "$(node -p 'require("./package.json").packageManager')" install --frozen-lockfile --prefer-offline`);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}
