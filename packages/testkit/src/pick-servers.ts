import { join } from 'node:path';
import { findNatsServer, startNats, startPostgres } from '@corner/sandbox';

/** A server the tests use. */
export interface PickedServer {
  readonly url: string;
  /** What it is: "embedded Postgres 18.4". */
  readonly words: string;
  stop(): Promise<void>;
}

export interface PickedServers {
  readonly postgres: PickedServer;
  readonly nats: PickedServer;
}

/** Where the tests' servers come from: given by DATABASE_URL and NATS_URL, else started here. */
export async function pickServers(folder: string, say: (sentence: string) => void): Promise<PickedServers> {
  const { DATABASE_URL, NATS_URL } = process.env;
  const [postgres, nats] = await Promise.allSettled([
    DATABASE_URL ? given(DATABASE_URL, 'Postgres', 'DATABASE_URL') : embeddedPostgres(folder),
    NATS_URL ? given(NATS_URL, 'NATS', 'NATS_URL') : embeddedNats(folder, say),
  ]);
  if (postgres.status === 'fulfilled' && nats.status === 'fulfilled') return { postgres: postgres.value, nats: nats.value };
  if (postgres.status === 'fulfilled') await postgres.value.stop();
  if (nats.status === 'fulfilled') await nats.value.stop();
  throw postgres.status === 'rejected' ? postgres.reason : (nats as PromiseRejectedResult).reason;
}

async function given(url: string, server: string, variable: string): Promise<PickedServer> {
  return { url, words: `the ${server} that ${variable} names`, stop: async () => {} };
}

async function embeddedPostgres(folder: string): Promise<PickedServer> {
  const postgres = await startPostgres({ dataFolder: join(folder, 'postgres'), durable: false });
  return { url: postgres.url, words: `embedded Postgres ${postgres.version}`, stop: postgres.stop };
}

async function embeddedNats(folder: string, say: (sentence: string) => void): Promise<PickedServer> {
  const nats = await startNats({ server: await findNatsServer(undefined, say), storeFolder: join(folder, 'nats') });
  return { url: nats.url, words: `NATS ${nats.version}`, stop: nats.stop };
}
