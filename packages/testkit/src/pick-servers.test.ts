import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { dockerAnswers } from './container-servers.ts';
import { type PickedServers, pickServers, type ServerSettings } from './pick-servers.ts';
import { withClient } from './run-database.ts';
import { currentTestRun, type TestFolder, testFolder } from './test-run.ts';

let folder: TestFolder;
let picked: PickedServers | null;
let reported: string[];
beforeEach(async () => {
  folder = await testFolder();
  picked = null;
  reported = [];
});
afterEach(async () => {
  await picked?.postgres.stop();
  await picked?.nats.stop();
  await folder[Symbol.asyncDispose]();
});

async function pick(settings: ServerSettings): Promise<PickedServers> {
  picked = await pickServers(folder.path, (sentence) => reported.push(sentence), settings);
  return picked;
}
const one = (url: string) => withClient(url, async (client) => (await client.query('select 1 as one')).rows);

test('servers given by their addresses are used, and left running', async () => {
  const { postgresUrl, natsUrl } = currentTestRun();
  const { postgres, nats } = await pick({ DATABASE_URL: postgresUrl, NATS_URL: natsUrl });
  expect([postgres.url, nats.url]).toEqual([postgresUrl, natsUrl]);
  await postgres.stop();
  expect(await one(postgresUrl)).toEqual([{ one: 1 }]);
});

test('without Docker, embedded servers are started and stopped', async () => {
  const { postgres, nats } = await pick({ CORNER_TEST_DOCKER: 'off' });
  expect(`${postgres.description} and ${nats.description}`).toMatch(/^embedded Postgres 18\.\d+ and NATS 2\.\d+\.\d+$/);
  expect(await one(postgres.url)).toEqual([{ one: 1 }]);
  await postgres.stop();
  await expect(one(postgres.url)).rejects.toThrow();
});

test('when Docker cannot fetch an image, embedded servers are used, and that is reported', async () => {
  if (!(await dockerAnswers({}))) return;
  const images = { postgres: 'localhost:9/no-such-postgres:18', nats: 'localhost:9/no-such-nats:2' };
  const { postgres, nats } = await pick({ images });
  expect(`${postgres.description} and ${nats.description}`).toMatch(/^embedded Postgres .* and NATS/);
  expect(reported).toEqual([expect.stringMatching(/did not start in a container/), expect.stringMatching(/did not start in a container/)]);
  expect(await one(postgres.url)).toEqual([{ one: 1 }]);
});

test('when Docker is present, containers are used and removed', async () => {
  if (!(await dockerAnswers({}))) return;
  const { postgres, nats } = await pick({});
  if (reported.length > 0) return;
  expect(`${postgres.description} and ${nats.description}`).toMatch(/^Postgres 18\S* in a container and NATS 2\S* in a container$/);
  expect(await one(postgres.url)).toEqual([{ one: 1 }]);
  await postgres.stop();
  await expect(one(postgres.url)).rejects.toThrow();
});
