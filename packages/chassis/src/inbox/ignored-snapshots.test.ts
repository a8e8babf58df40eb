import { directoryCustomer, subjectOf } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { envelopeOf, until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import type { RunningService } from '../service.ts';
import { newThing, type Platform, preparePlatform } from '../testing/platform.ts';
import { consumer } from '../testing/services.ts';
import { on } from './event-handler.ts';
import { countIgnored, noticeIgnored } from './ignored-snapshots.ts';

const definition = {
  ...consumer(),
  eventHandlers: { ignoreCustomer: on(directoryCustomer, async (_event, _tx) => {}) },
};
let platform: Platform;
let loyalty: RunningService<Database>;
let upstream: Awaited<ReturnType<typeof connectNats>>;
let customer: string;

beforeAll(async () => {
  platform = await preparePlatform();
  upstream = await connectNats(platform.broker.url, 'test');
  loyalty = await platform.start(definition);
  await loyalty.backbone;
});
beforeEach(() => {
  customer = newThing();
});
afterAll(async () => {
  await upstream.close();
  await loyalty[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

async function publish(version: number, name = 'Ana'): Promise<void> {
  const data = { id: customer, version, name };
  const envelope = envelopeOf(directoryCustomer, data, { aggregateId: customer, sequence: version });
  await jetstream(upstream).publish(subject(), JSON.stringify(envelope));
}

const subject = () => `${platform.broker.namespace}${subjectOf('directory', directoryCustomer, customer)}`;

const processedVersion = () =>
  loyalty.database.maybeOneFirst(
    sql.type(z.object({ version: z.number() }))`select version from snapshot_version where object_id = ${customer}`,
  );
const processed = (version: number) =>
  until(async () => (await processedVersion()) === version, { describe: `version ${version} is processed` });
const directoryCheck = async () =>
  ((await (await fetch(`${loyalty.url}/readyz`)).json()) as { checks: { directory: string } }).checks.directory;
const ignored = (count: number) =>
  until(async () => (await countIgnored(loyalty.database)) === count, { describe: `${count} objects are ignored` });
const reports = () => platform.lines.filter(({ object }) => object === `customer ${customer}`);

test('a newest snapshot below the version processed is reported once, with what to do, until a newer one is processed', async () => {
  await publish(7);
  await processed(7);
  expect(await directoryCheck()).toBe('ok');
  await publish(3);
  await ignored(1);
  expect(await directoryCheck()).toBe(
    `ignores the newest snapshot of customer ${customer}, whose version is not above the one processed: publish it above version 7`,
  );
  await publish(4);
  await until(() => reports().length === 2, { describe: 'a report of version 4' });
  expect(reports()).toMatchObject([
    { newest_version: 3, processed_version: 7, service: 'loyalty' },
    { newest_version: 4, processed_version: 7 },
  ]);
  await publish(8);
  await ignored(0);
  // A redelivery of a snapshot that a newer one has replaced in the stream.
  const { broker } = await loyalty.backbone;
  const { database, log } = loyalty;
  const replaced = { type: 'customer', object_id: customer, version: 3, digest: 'any', messageSubject: subject() };
  await noticeIgnored({ broker, database, log }, [replaced]);
  expect(await countIgnored(database)).toBe(0);
  expect(await directoryCheck()).toBe('ok');
});

test('the version processed with other data is reported; with the same data it is not, and ends the report', async () => {
  await publish(7);
  await processed(7);
  await publish(7, 'Bea');
  await ignored(1);
  await publish(7);
  await ignored(0);
  expect(reports()).toHaveLength(1);
});

test('what is found in the stream at the start is reported', async () => {
  await publish(7);
  await processed(7);
  await loyalty[Symbol.asyncDispose]();
  await publish(2);
  loyalty = await platform.start(definition);
  await ignored(1);
  expect(await directoryCheck()).toContain(`customer ${customer}`);
});
