import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNatsServer, startNats } from '@corner/sandbox/servers';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { runCommandLine } from '../run-command-line.ts';
import { runCorner } from '../testing/run-corner.ts';

const composed = join(import.meta.dirname, '../../../../deploy/nats/users.conf');

test('deploy/nats/users.conf, which docker-compose.yml uses, is what the command prints', async () => {
  const { output, code } = await runCorner(['nats-users', '--operator', 'operator', '--operator', 'console'], process.env);
  expect(code).toBe(0);
  expect(output).toBe(readFileSync(composed, 'utf8'));
});

test('a server starts with it', async () => {
  await using folder = await testFolder();
  const configuration = `${readFileSync(composed, 'utf8').replaceAll(/\$NATS_PASSWORD_\w+/g, 'secret')}`;
  const withUser = configuration.replace('users: [', 'users: [ { user: root, password: secret }');
  const login = { NATS_USER: 'root', NATS_PASSWORD: 'secret' };
  await using _ = await startNats({ server: await findNatsServer(), storeFolder: folder.path, configuration: withUser, login });
});

test('a name that cannot be part of a subject is refused', async () => {
  const { errors, code } = await runCommandLine(['nats-users', '--operator', 'ada.>']);
  expect([code, errors]).toEqual([1, expect.stringContaining('ada.> cannot be part of a subject')]);
});
