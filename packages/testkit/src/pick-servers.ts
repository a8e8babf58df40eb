import { join } from 'node:path';
import { findNatsServer, natsImage, startNats, startPostgres } from '@corner/sandbox/servers';
import type { PickedServer } from './container-servers.ts';
import { containerNats, containerPostgres, type DockerSettings, dockerAnswers } from './container-servers.ts';

export interface PickedServers {
  readonly postgres: PickedServer;
  readonly nats: PickedServer;
}

export interface ServerSettings extends DockerSettings {
  readonly DATABASE_URL?: string | undefined;
  readonly NATS_URL?: string | undefined;
  readonly images?: { readonly postgres: string; readonly nats: string };
}

type Say = (sentence: string) => void;
const publicImages = { postgres: 'postgres:18.4', nats: natsImage };

/** Chooses the tests' servers: those at DATABASE_URL and NATS_URL, else containers where Docker runs, else embedded ones. */
export async function pickServers(folder: string, say: Say, settings: ServerSettings = process.env): Promise<PickedServers> {
  const { DATABASE_URL, NATS_URL, images = publicImages } = settings;
  const inContainers = !(DATABASE_URL && NATS_URL) && (await dockerAnswers(settings));
  const [postgres, nats] = await Promise.allSettled([
    DATABASE_URL
      ? given(DATABASE_URL, 'Postgres', 'DATABASE_URL')
      : inContainers
        ? containerPostgres(folder, images.postgres).catch((error) => instead('Postgres', error, say, () => embeddedPostgres(folder)))
        : embeddedPostgres(folder),
    NATS_URL
      ? given(NATS_URL, 'NATS', 'NATS_URL')
      : inContainers
        ? containerNats(folder, images.nats).catch((error) => instead('NATS', error, say, () => embeddedNats(folder, say)))
        : embeddedNats(folder, say),
  ]);
  if (postgres.status === 'fulfilled' && nats.status === 'fulfilled') return { postgres: postgres.value, nats: nats.value };
  if (postgres.status === 'fulfilled') await postgres.value.stop();
  if (nats.status === 'fulfilled') await nats.value.stop();
  throw postgres.status === 'rejected' ? postgres.reason : (nats as PromiseRejectedResult).reason;
}

async function given(url: string, server: string, variable: string): Promise<PickedServer> {
  return { url, description: `the ${server} that ${variable} names`, stop: async () => {} };
}

function instead(server: string, error: unknown, say: Say, startEmbedded: () => Promise<PickedServer>): Promise<PickedServer> {
  const why = error instanceof Error ? error.message : String(error);
  say(`${server} did not start in a container (${why}): the embedded one is used`);
  return startEmbedded();
}

async function embeddedPostgres(folder: string): Promise<PickedServer> {
  const postgres = await startPostgres({ dataFolder: join(folder, 'postgres'), durable: false });
  return { url: postgres.url, description: `embedded Postgres ${postgres.version}`, stop: postgres.stop };
}

async function embeddedNats(folder: string, say: Say): Promise<PickedServer> {
  const nats = await startNats({ server: await findNatsServer(undefined, say), storeFolder: join(folder, 'nats') });
  return { url: nats.url, description: `NATS ${nats.version}`, stop: nats.stop };
}
