import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type RunFile, runFileIn } from '@corner/operator';
import { people } from '@corner/sandbox/demo';
import { type RunningMessages, startMessages } from '@corner/sandbox/messages';
import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { runCommandLine } from '../../run-command-line.ts';
import { main, runCorner } from '../../testing/run-corner.ts';
import { InboxMessages } from '../inbox/inbox-messages.ts';

const [address = ''] = people.ana.addresses;

let folder: Awaited<ReturnType<typeof testFolder>>;
let messages: RunningMessages;

beforeAll(async () => {
  folder = await testFolder();
  messages = await startMessages({ folder: `${folder.path}/keys`, now: () => new Date('2026-03-04T05:06:07Z') });
  const at = 'http://127.0.0.1:1';
  const run: RunFile = {
    gateway: at,
    console: null,
    shop: null,
    docs: at,
    payments: at,
    messages: messages.url,
    issuer: at,
    postgres: at,
    nats: at,
    services: {},
    tokens: { ana: '', bo: '', cy: '' },
    stores: [],
    customers: [
      { id: people.ana.id, name: 'Ana', addresses: [...people.ana.addresses] },
      { id: people.bo.id, name: 'Eli', addresses: [] },
    ],
  };
  writeFileSync(runFileIn(folder.path), JSON.stringify(run));
  await mail('dee@example.com', 'For Dee');
  await mail(address, 'For Ana\u001b[31m');
});

afterAll(async () => {
  await messages.stop();
  await folder[Symbol.asyncDispose]();
});

async function mail(to: string, subject: string): Promise<void> {
  const transport = createTransport(messages.environment.SMTP_URL);
  await transport.sendMail({ from: messages.environment.MAIL_FROM, to, subject, text: 'Two\nlines' });
  transport.close();
}

const runInbox = (...args: readonly string[]) => runCorner(['inbox', '--data', folder.path, ...args]);

const titles = (json: string) => InboxMessages.parse(JSON.parse(json)).map(({ title }) => title);

test('corner inbox lists all messages in order of arrival, or those to a customer by name or id, or to an address', async () => {
  const [all, byName, byId, byAddress, unknown] = await Promise.all([
    runInbox('--json'),
    runInbox('--json', '--to', 'ana'),
    runInbox('--json', '--to', people.ana.id),
    runInbox('--json', '--to', 'dee@example.com'),
    runInbox('--json', '--to', 'unknown@example.com'),
  ]);
  expect(titles(all.output)).toEqual(['For Dee', expect.stringMatching(/^For Ana/)]);
  expect(titles(byName.output)).toEqual([expect.stringMatching(/^For Ana/)]);
  expect(byId.output).toBe(byName.output);
  expect(titles(byAddress.output)).toEqual(['For Dee']);
  expect(titles(unknown.output)).toEqual([]);
});

test('corner inbox prints time, channel and recipient, without control characters of the message', async () => {
  const { output } = await runInbox();
  expect(output).toMatch(/\d\d:\d\d:\d\d {2}email {2}For Ana \[31m\n +to Ana: Two\n +lines\n/);
  expect(output).toMatch(/to dee@example\.com: Two\n +lines/);
  expect(output).not.toContain('\u001b');
});

test('corner inbox --follow prints existing and new messages once each, until it is interrupted', async () => {
  const following = spawn(process.execPath, [main, 'inbox', '--data', folder.path, '--follow', '--json', '--to', 'Ana'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(following.stdout)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? 'null').title;
  expect(await next()).toMatch(/^For Ana/);
  await mail(address, 'first');
  expect(await next()).toBe('first');
  await mail(address, 'second');
  expect(await next()).toBe('second');
  const ended = once(following, 'exit');
  following.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});

test('corner inbox fails when there is no inbox, when it does not respond, and for a customer without addresses', async () => {
  const failed = (...args: readonly string[]) => runCommandLine(['inbox', '--data', folder.path, ...args]);
  const none = await failed('--data', `${folder.path}/keys`);
  const unreachable = await failed('--messages', 'http://127.0.0.1:1');
  const noAddress = await failed('--to', 'eli');
  expect([none.code, unreachable.code, noAddress.code]).toEqual([1, 1, 1]);
  expect(none.errors).toContain('there is no inbox');
  expect(unreachable.errors).toContain('nothing at http://127.0.0.1:1 responds');
  expect(noAddress.errors).toContain('Eli receives no messages');
});
