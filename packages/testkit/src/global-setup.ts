import { randomBytes } from 'node:crypto';
import { fillTemplate } from './fill-template.ts';
import { pickServers } from './pick-servers.ts';
import { dropAllNamed, nameInRun, withClient } from './run-database.ts';
import { openRunFolder, removeRunFolder } from './run-folder.ts';
import { publishTestRun } from './test-run.ts';

declare global {
  /** Undoes what the setup of this jest run did. */
  var cornerTestTeardown: (() => Promise<void>) | undefined;
}

/** Starts what tests stand on, once for a jest run: Postgres with a migrated template, and NATS. */
export default async function setUp(): Promise<void> {
  const folder = await openRunFolder();
  const { postgres, nats } = await pickServers(folder, say);
  const id = `${process.pid}_${randomBytes(3).toString('hex')}`;
  globalThis.cornerTestTeardown = async () => {
    await withClient(postgres.url, (client) => dropAllNamed(client, nameInRun(id, ''))).catch((error) =>
      say(`databases of this run stay: ${error}`),
    );
    await Promise.all([postgres.stop(), nats.stop()]);
    await removeRunFolder(folder);
  };
  const { migrated, faults } = await fillTemplate(postgres.url, id);
  publishTestRun({ id, postgresUrl: postgres.url, natsUrl: nats.url, migrated, faults });
  say(`tests use ${postgres.words} and ${nats.words}`);
  for (const [service, fault] of Object.entries(faults)) say(`the migrations of ${service} failed: ${fault}`);
}

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
