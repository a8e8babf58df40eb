import { randomBytes } from 'node:crypto';
import { allPrograms, buildPrograms } from '@corner/programs';
import { fillTemplate } from './fill-template.ts';
import { holdRun } from './hold-run.ts';
import { pickServers } from './pick-servers.ts';
import { closeRunFolder, openRunFolder } from './run-folder.ts';
import { publishTestRun } from './test-run.ts';

declare global {
  var cornerTestTeardown: (() => Promise<void>) | undefined;
}

export default async function setUp(): Promise<void> {
  const undo: (() => Promise<unknown>)[] = [];
  const tearDown = async () => {
    for (const step of undo.splice(0).reverse()) await step().catch((error: unknown) => say(`the tests' servers: ${error}`));
  };
  globalThis.cornerTestTeardown = tearDown;
  endWith(tearDown);
  try {
    const folder = await openRunFolder();
    undo.push(() => closeRunFolder(folder));
    const { postgres, nats } = await pickServers(folder, say);
    undo.push(() => Promise.all([postgres.stop(), nats.stop()]));
    const id = `${process.pid}_${randomBytes(3).toString('hex')}`;
    undo.push(await holdRun(postgres.url, id));
    const isWhole = process.env.CORNER_TESTS !== undefined;
    const [{ migrated, faults }] = await Promise.all([fillTemplate(postgres.url, id), isWhole ? buildPrograms(allPrograms()) : null]);
    publishTestRun({ id, folder, postgresUrl: postgres.url, natsUrl: nats.url, migrated, faults });
    say(`tests use ${postgres.description} and ${nats.description}`);
    for (const [service, fault] of Object.entries(faults)) say(`the migrations of ${service} failed: ${fault}`);
  } catch (error) {
    await tearDown();
    throw error;
  }
}

function endWith(tearDown: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void tearDown().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143)));
  }
}

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
