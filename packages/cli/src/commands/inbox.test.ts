import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { people, type RunFile, type RunningMessages, runFileIn, startMessages } from '@corner/sandbox';
import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { InboxMessages } from '../inbox-messages.ts';

const corner = `${import.meta.dirname}/../main.ts`;
const [address = ''] = people.ana.addresses;

let folder: Awaited<ReturnType<typeof testFolder>>;
let messages: RunningMessages;

beforeAll(async () => {
  folder = await testFolder();
  messages = await startMessages({ folder: `${folder.path}/keys`, now: () => new Date('2026-03-04T05:06:07Z') });
  const at = 'http://127.0.0.1:1';
  const run: RunFile = {
    gateway: at,
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
  await mail('somebody@example.com', 'For somebody');
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

function said(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [corner, 'inbox', '--data', folder.path, ...args], (error, output, errors) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, errors });
    });
  });
}

const titles = (json: string) => InboxMessages.parse(JSON.parse(json)).map(({ title }) => title);

test('lists all in order of arrival, or those to a customer by name or id, or to an address', async () => {
  const [all, byName, byId, byAddress, nobody] = await Promise.all([
    said('--json'),
    said('--json', '--to', 'ana'),
    said('--json', '--to', people.ana.id),
    said('--json', '--to', 'somebody@example.com'),
    said('--json', '--to', 'nobody@example.com'),
  ]);
  expect(titles(all.output)).toEqual(['For somebody', expect.stringMatching(/^For Ana/)]);
  expect(titles(byName.output)).toEqual([expect.stringMatching(/^For Ana/)]);
  expect(byId.output).toBe(byName.output);
  expect(titles(byAddress.output)).toEqual(['For somebody']);
  expect(titles(nobody.output)).toEqual([]);
});

test('shows a person when, how and to whom; what was sent cannot steer the terminal', async () => {
  const { output } = await said();
  expect(output).toMatch(/\d\d:\d\d:\d\d {2}email {2}For Ana \[31m\n +to Ana: Two lines\n/);
  expect(output).toContain('to somebody@example.com: Two lines');
  expect(output).not.toContain('\u001b');
});

test('follows: what is there, then what arrives, each once, until it is told to stop', async () => {
  const following = spawn(process.execPath, [corner, 'inbox', '--data', folder.path, '--follow', '--json', '--to', 'Ana'], {
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

test('says what to do when there is no inbox, when it does not answer, and when nothing can reach a customer', async () => {
  const [none, silent, unreachable] = await Promise.all([
    said('--data', `${folder.path}/keys`),
    said('--messages', 'http://127.0.0.1:1'),
    said('--to', 'eli'),
  ]);
  expect([none.code, silent.code, unreachable.code]).toEqual([1, 1, 1]);
  expect(none.errors).toContain('there is no inbox');
  expect(silent.errors).toContain('nothing at http://127.0.0.1:1 answers');
  expect(unreachable.errors).toContain('nothing can reach Eli');
});
