import { writeFileSync } from 'node:fs';
import { chown, copyFile, stat } from 'node:fs/promises';
import { type RunningPostgres, startPostgres } from '@corner/sandbox/servers';
import { type TestFolder, testFolder, until } from '@corner/testkit';
import { type TestCertificates, testCertificates } from '@corner/testkit/certificates';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import { databaseUrl } from '../config.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, consumer, producer } from '../testing/services.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

let folder: TestFolder;
let certificates: TestCertificates;
let otherAuthority: string;
let postgres: RunningPostgres;

beforeAll(async () => {
  folder = await testFolder();
  certificates = await testCertificates(folder.path, { addresses: [] });
  await using others = await testFolder();
  otherAuthority = `${folder.path}/other-authority.pem`;
  await copyFile((await testCertificates(others.path)).authority, otherAuthority);
  postgres = await startPostgres({ dataFolder: `${folder.path}/postgres`, durable: false });
  await demandTls();
});
afterAll(async () => {
  await postgres?.stop();
  await folder[Symbol.asyncDispose]();
});

async function demandTls(): Promise<void> {
  const cluster = `${folder.path}/postgres/cluster`;
  const { uid, gid } = await stat(cluster);
  const files = { 'server.crt': certificates.server.certificate, 'server.key': certificates.server.key, 'ca.crt': certificates.authority };
  for (const [name, file] of Object.entries(files)) {
    await copyFile(file, `${cluster}/${name}`);
    await chown(`${cluster}/${name}`, uid, gid);
  }
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('create database certified');
  for (const setting of ["ssl_ca_file = 'ca.crt'", 'ssl = on']) await client.query(`alter system set ${setting}`);
  writeFileSync(
    `${cluster}/pg_hba.conf`,
    'hostssl certified all all scram-sha-256 clientcert=verify-ca\nhostssl postgres all all scram-sha-256\n',
  );
  await client.query('select pg_reload_conf()');
  await client.end();
  const refused = () => connects({}).then((done) => done === 'refused');
  await until(refused, { describe: 'the server to refuse a connection without TLS' });
}

function address(parameters: Readonly<Record<string, string>>, { host = 'localhost', database = 'postgres' } = {}): string {
  const url = new URL(postgres.url);
  url.hostname = host;
  url.pathname = `/${database}`;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

type Where = Parameters<typeof address>[1];

async function connects(parameters: Readonly<Record<string, string>>, where?: Where): Promise<'with TLS' | 'without TLS' | 'refused'> {
  const open = async () => {
    await using database = await openDatabase({ url: address(parameters, where), poolSize: 1 });
    const ssl = sql.type(z.object({ ssl: z.boolean() }))`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return (await database.oneFirst(ssl)) ? 'with TLS' : 'without TLS';
  };
  return await open().catch(() => 'refused');
}

const own = () => ({ sslrootcert: certificates.authority });
const other = () => ({ sslrootcert: otherAuthority });
const inDigits = { host: '127.0.0.1' };

// The server's certificate is for `localhost`, not for 127.0.0.1.
test.each<[string, string, () => Record<string, string>, Where, string]>([
  ['disable', 'no authority', () => ({}), {}, 'refused'],
  ['require', 'no authority', () => ({}), {}, 'with TLS'],
  ['require', 'its authority', own, inDigits, 'with TLS'],
  ['require', 'another authority', other, {}, 'refused'],
  ['verify-ca', 'its authority', own, inDigits, 'with TLS'],
  ['verify-ca', 'another authority', other, {}, 'refused'],
  ['verify-full', 'its authority', own, {}, 'with TLS'],
  ['verify-full', 'its authority', own, inDigits, 'refused'],
  ['verify-full', 'another authority', other, {}, 'refused'],
  ['verify-full', 'no authority', () => ({}), {}, 'refused'],
  ['verify-full', 'public authorities', () => ({ sslrootcert: 'system' }), {}, 'refused'],
])('sslmode=%s with %s: %#', async (sslmode, _authority, files, where, expected) => {
  expect(await connects({ sslmode, ...files() }, where)).toBe(expected);
});

describe('a server that demands a client’s certificate', () => {
  const pair = () => ({ sslcert: certificates.client.certificate, sslkey: certificates.client.key });
  const verified = () => ({ sslmode: 'verify-full', ...own() });
  let platform: Platform;
  beforeAll(async () => {
    platform = await preparePlatform();
  });
  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
  });

  test('refuses a connection without one', async () => {
    expect(await connects(verified(), { database: 'certified' })).toBe('refused');
    expect(await connects({ ...verified(), ...pair() }, { database: 'certified' })).toBe('with TLS');
  });

  test('serves migrations, the relay, the consumer and the locks of two services', async () => {
    const adminUrl = address({ ...verified(), ...pair() }, { database: 'certified' });
    const roleUrl = (service: string) => Object.assign(new URL(adminUrl), { username: service, password: 'a%2Bb' }).href;
    const settings = (service: string) => ({ DATABASE_URL: roleUrl(service) });
    for (const service of ['orders', 'loyalty'])
      await migrate({ service, adminUrl, roleUrl: roleUrl(service), directory: `${import.meta.dirname}/../testing/migrations/${service}` });
    await using orders = await platform.start(producer(), {}, settings('orders'));
    await using loyalty = await platform.start(consumer(), {}, settings('loyalty'));
    const thing = newThing();
    await orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
    await until(async () => (await effectsOf(loyalty.database, thing)).length === 1, { describe: 'the effect' });
    expect((await fetch(`${orders.url}/readyz`)).status).toBe(200);
  });
});

test.each<[string, () => Record<string, string>, RegExp]>([
  ['a mode that may go without TLS', () => ({ sslmode: 'prefer' }), /^sslmode=prefer would connect without TLS/],
  ['an unknown mode', () => ({ sslmode: 'hunter2' }), /^sslmode must be disable, require, verify-ca or verify-full$/],
  ['files without a mode', own, /^sslmode is missing/],
  ['verify-ca without an authority', () => ({ sslmode: 'verify-ca' }), /^sslmode=verify-ca needs sslrootcert/],
  [
    'public authorities without the name',
    () => ({ sslmode: 'require', sslrootcert: 'system' }),
    /^sslrootcert=system needs sslmode=verify-full/,
  ],
  ['a file that is not there', () => ({ sslmode: 'require', sslrootcert: '/nowhere.pem' }), /^sslrootcert names \/nowhere\.pem, .*ENOENT/],
  ['a file of another kind', () => ({ sslmode: 'require', sslrootcert: certificates.client.key }), /^sslrootcert names .*no certificate/],
  ['a certificate without its key', () => ({ sslmode: 'require', sslcert: certificates.client.certificate }), /^sslcert needs sslkey/],
  [
    'the key of another certificate',
    () => ({ sslmode: 'require', sslcert: certificates.client.certificate, sslkey: certificates.server.key }),
    /^sslkey names .*not the key of sslcert/,
  ],
  ['a parameter of another driver', () => ({ sslmode: 'require', sslnegotiation: 'direct' }), /^sslnegotiation is not supported/],
])('%s is refused in words', (_what, parameters, message) => {
  const [issue, ...more] = databaseUrl.safeParse(address(parameters())).error?.issues ?? [];
  expect(issue?.message).toMatch(message);
  expect(more).toEqual([]);
});
