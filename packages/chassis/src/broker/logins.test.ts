import { writeFileSync } from 'node:fs';
import { findNatsServer, type NatsOptions, type RunningNats, startNats } from '@corner/sandbox/servers';
import { makeStreams, type TestFolder, testFolder, until } from '@corner/testkit';
import { nkeyPair, operatorAccount, type TestCertificates, testCertificates } from '@corner/testkit/certificates';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, consumer, producer } from '../testing/services.ts';

let platform: Platform;
let folder: TestFolder;
let certificates: TestCertificates;
let nats: RunningNats | null;
beforeEach(async () => {
  platform = await preparePlatform();
  folder = await testFolder();
  certificates = await testCertificates(folder.path);
  nats = null;
});
afterEach(async () => {
  await nats?.stop();
  await folder[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

type Settings = Readonly<Record<string, string>>;

const fileOf = (name: string, content: string): string => {
  const file = `${folder.path}/${name}`;
  writeFileSync(file, content, { mode: 0o600 });
  return file;
};

async function serverWith(configuration: string, login: NonNullable<NatsOptions['login']> = {}): Promise<Settings> {
  nats = await startNats({ server: await findNatsServer(), storeFolder: `${folder.path}/nats`, configuration, login });
  await makeStreams({ NATS_URL: nats.url, ...login }, platform.broker.namespace);
  return { NATS_URL: nats.url, ...(login as Settings) };
}

async function expectAnEventToArrive(settings: Settings): Promise<void> {
  await using orders = await platform.start(producer(), {}, settings);
  await using loyalty = await platform.start(consumer(), {}, settings);
  const thing = newThing();
  await orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
  await until(async () => (await effectsOf(loyalty.database, thing)).length === 1, { describe: 'the effect' });
}

const tlsBlock = (more = '') =>
  `tls { cert_file: "${certificates.server.certificate}", key_file: "${certificates.server.key}", ca_file: "${certificates.authority}"${more} }`;

describe('two services exchange events over a broker that demands', () => {
  test('a user whose password is in a file', async () => {
    const login = { NATS_USER: 'corner', NATS_PASSWORD_FILE: fileOf('password', 'pass: word\n') };
    await expectAnEventToArrive(await serverWith('authorization { user: corner, password: "pass: word" }', login));
  });

  test('a user that the first address names, whose server is away', async () => {
    const { NATS_URL = '' } = await serverWith('authorization { user: corner, password: "a:b@c" }', {
      NATS_USER: 'corner',
      NATS_PASSWORD: 'a:b@c',
    });
    await expectAnEventToArrive({ NATS_URL: `nats://corner:a%3Ab%40c@127.0.0.1:9, ${NATS_URL}` });
  });

  test('an NKey', async () => {
    const { publicKey, seed } = nkeyPair();
    const login = { NATS_NKEY_SEED_FILE: fileOf('seed', `${seed}\n`) };
    await expectAnEventToArrive(await serverWith(`authorization { users: [{ nkey: ${publicKey} }] }`, login));
  });

  test('credentials: a JWT of an operator’s account', async () => {
    const { configuration, credentials } = operatorAccount();
    await expectAnEventToArrive(await serverWith(configuration, { NATS_CREDENTIALS_FILE: fileOf('user.creds', credentials) }));
  });

  test('TLS under an authority of its own', async () => {
    await expectAnEventToArrive(await serverWith(tlsBlock(), { NATS_CA_FILE: certificates.authority }));
  });

  test('a client’s certificate', async () => {
    const login = {
      NATS_CA_FILE: certificates.authority,
      NATS_CERTIFICATE_FILE: certificates.client.certificate,
      NATS_CERTIFICATE_KEY_FILE: certificates.client.key,
    };
    await expectAnEventToArrive(await serverWith(tlsBlock(', verify: true'), login));
  });
});

test('a password that is replaced in its file is used at the next connection', async () => {
  const NATS_PASSWORD_FILE = fileOf('password', 'first');
  const settings = await serverWith('authorization { user: corner, password: first }', { NATS_USER: 'corner', NATS_PASSWORD_FILE });
  await using orders = await platform.start(producer(), {}, settings);
  const { broker } = await orders.backbone;
  await nats?.stop();
  writeFileSync(NATS_PASSWORD_FILE, 'second');
  nats = await startNats({
    server: await findNatsServer(),
    storeFolder: `${folder.path}/nats`,
    port: nats?.port ?? 0,
    configuration: 'authorization { user: corner, password: second }',
    login: { NATS_USER: 'corner', NATS_PASSWORD: 'second' },
  });
  await until(async () => (await broker.connection.rtt().catch(() => 0)) > 0, { describe: 'the connection to be back' });
});

describe('a start is refused with the name of the setting', () => {
  const start = async (settings: Settings) => {
    await using _ = await platform.start(producer(), {}, settings);
  };

  test.each<[string, () => Settings, RegExp]>([
    [
      'two kinds of login',
      () => ({ NATS_USER: 'a', NATS_NKEY_SEED_FILE: fileOf('seed', 'SU') }),
      /NATS_USER: only one kind.*NATS_NKEY_SEED_FILE/,
    ],
    ['two passwords', () => ({ NATS_USER: 'a', NATS_PASSWORD: 'b', NATS_PASSWORD_FILE: fileOf('p', 'b') }), /NATS_PASSWORD: .*unset one/],
    [
      'a certificate without a key',
      () => ({ NATS_CERTIFICATE_FILE: fileOf('c', 'c') }),
      /NATS_CERTIFICATE_FILE: needs NATS_CERTIFICATE_KEY_FILE/,
    ],
    [
      'a file that is not there',
      () => ({ NATS_CREDENTIALS_FILE: '/nowhere.creds' }),
      /NATS_CREDENTIALS_FILE: names a file that this process cannot read/,
    ],
    [
      'an address of another kind',
      () => ({ NATS_URL: 'nats://a:1,http://user:hunter2@b' }),
      /NATS_URL: must be a nats:\/\/ address(?![\s\S]*hunter2)/,
    ],
  ])('%s', async (_what, settings, message) => {
    await expect(start(settings())).rejects.toThrow(message);
  });
});

describe('a limit that is reached is named in /readyz, with what to do', () => {
  const account = (limits: string) => `accounts { corner { jetstream { ${limits} }, users: [{ user: corner, password: corner }] } }`;
  const login = { NATS_USER: 'corner', NATS_PASSWORD: 'corner' };

  async function expectCheck(settings: Settings, of: 'relay' | 'consumers', expected: RegExp): Promise<void> {
    await using orders = await platform.start(producer(), {}, settings);
    await using loyalty = await platform.start(consumer(), {}, settings);
    await orders.database.transaction((tx) => changeAndPublish(tx, newThing(), storeId));
    const { url } = of === 'relay' ? orders : loyalty;
    const look = async () => {
      const { checks } = (await (await fetch(`${url}/readyz`)).json()) as { checks: Record<string, string> };
      expect(checks[of]).toMatch(expected);
      return true;
    };
    await until(look, { describe: `/readyz to say why under ${of}` });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  }

  test('storage of the account', async () => {
    const settings = await serverWith(account('max_file: 100'), login);
    await expectCheck(settings, 'relay', /publishes nothing.*storage.*used up.*nats stream report/);
  });

  test('no JetStream for the account', async () => {
    const withUsers =
      'accounts { corner { users: [{ user: corner, password: corner }] }, other { jetstream: enabled, users: [{ user: a, password: a }] } }';
    const settings = await serverWith(withUsers, { NATS_USER: 'a', NATS_PASSWORD: 'a' });
    await expectCheck({ ...settings, ...login }, 'relay', /publishes nothing.*JetStream/);
  });
});
