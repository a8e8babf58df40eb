import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { click } from '../testing/open-browser.ts';
import { openStoreOfBo } from '../testing/own-store.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import { browseConsole, type ConsoleInBrowser, clickButton, executable, fill, goTo, untilText } from './testing/console-in-browser.ts';
import { look, lookAtAll } from './testing/look.ts';

const inBrowser = executable ? test : test.skip;
let webhooks: string;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const receiver = { agrees: true, status: 204, received: [] as Received[] };
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  if (body.type === 'webhook.challenge') {
    response.end(receiver.agrees ? body.data.challenge : '');
    return;
  }
  receiver.received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
  response.writeHead(receiver.status).end(receiver.status === 500 ? 'the books are closed' : '');
});

let console: ConsoleInBrowser | undefined;

beforeAll(async () => {
  if (!executable) return;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  console = await browseConsole(await sharedEnvironment('whole'));
  const { id } = await openStoreOfBo('coffee', console.environment.system, { cy: 'staff' });
  webhooks = `/shop/${id}/settings/webhooks`;
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

const running = (): ConsoleInBrowser => console as ConsoleInBrowser;

async function storeSecret(page: Page): Promise<string> {
  const secret = (await (await page.waitForSelector('dialog .id code'))?.evaluate(({ textContent }) => textContent)) ?? '';
  expect(await page.$eval('dialog button.copy', ({ ariaLabel }) => ariaLabel)).toBe(`Copy secret ${secret}`);
  await clickButton(page, 'dialog', 'It is stored');
  await page.waitForFunction(`!document.body.textContent.includes(${JSON.stringify(secret)})`);
  return secret;
}

function lastSignedWith(secret: string): unknown {
  const { body, headers } = receiver.received.at(-1) as Received;
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
  const signature = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(signed)
    .digest('base64');
  expect(String(headers['webhook-signature']).split(' ')).toContain(`v1,${signature}`);
  return JSON.parse(body);
}

const check = (page: Page, name: string): Promise<void> => page.click(`dialog ::-p-aria([name="${name}"][role="checkbox"])`);
const result = '[data-webhook] [role="status"]';
const allEvents = 'All events, also types that are added later';

inBrowser('an owner creates a webhook, tests it, sees it fail, sends an event again, rotates the secret and ends it', async () => {
  const { page, errors, foreign } = await running().open('bo', webhooks);
  await untilText(page, '#main', 'No webhook yet.');
  await clickButton(page, '#main', 'Create a webhook');
  await fill(page, 'Description', 'Bookkeeping');
  await fill(page, 'Address', 'http://books.example.com/hook');
  await clickButton(page, 'dialog', 'Create');
  await untilText(page, 'dialog .field-error', 'Must begin with https://.');
  expect(await page.$eval('dialog ::-p-aria([name="Address"])', (field) => field.ariaInvalid)).toBe('true');
  await fill(page, 'Address', `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  await clickButton(page, 'dialog', 'Create');
  const first = await storeSecret(page);
  const card = '[data-webhook]';
  await untilText(page, card, 'all events');

  await clickButton(page, card, 'Test');
  await untilText(page, result, 'Test event 1 delivered 204');
  expect(lastSignedWith(first)).toMatchObject({ type: 'webhook.test', number: 1 });

  receiver.status = 500;
  await clickButton(page, card, 'Test');
  await untilText(page, result, 'Test event 2 failing 500: the books are closed');
  await untilText(page, card, 'failing: its last attempt failed');
  await untilText(page, card, '1 to deliver');

  await clickButton(page, card, 'Rotate the secret');
  await clickButton(page, 'dialog', 'Rotate');
  await untilText(page, 'dialog', 'signed with the old one too until');
  const second = await storeSecret(page);
  expect(second).not.toBe(first);
  await untilText(page, card, 'the old secret is valid until');

  await click(page, `${card} h2 a`);
  await untilText(page, 'h1', 'Events of Bookkeeping');
  await untilText(page, '#main tbody tr:nth-child(1)', '500: the books are closed');
  receiver.status = 204;
  await clickButton(page, '#main tbody tr:nth-child(1)', 'Repeat');
  await untilText(page, '.announced', 'Event 2 is sent again.');
  await untilText(page, '#main tbody tr:nth-child(1)', 'delivered');
  expect(lastSignedWith(second)).toMatchObject({ number: 2 });
  expect(lastSignedWith(first)).toMatchObject({ number: 2 });

  await goTo(page, `${running().url}${webhooks}`);
  await clickButton(page, card, 'Change');
  await check(page, allEvents);
  await clickButton(page, 'dialog', 'Save');
  await untilText(page, 'dialog .field-error', 'Choose one at least');
  await check(page, 'order.paid');
  await clickButton(page, 'dialog', 'Save');
  await untilText(page, card, 'order.paid');

  await clickButton(page, card, 'End');
  await clickButton(page, 'dialog', 'End');
  await untilText(page, '.announced', 'Bookkeeping has ended.');
  await untilText(page, `${card} .badge`, 'ended');
  expect(await page.$$eval(`${card} button`, (buttons) => buttons.map(({ textContent }) => textContent))).toEqual(['Change: Bookkeeping']);
  expect({ errors: errors.filter((error) => !error.includes('400')), foreign }).toEqual({ errors: [], foreign: [] });
});

inBrowser(
  'a manager tests and repeats but changes nothing, staff see that it is not theirs, and each page is usable on every screen',
  async () => {
    const staff = await running().open('cy', webhooks);
    await untilText(staff.page, '#main', 'It is for managers and owners of the store.');

    const { page, errors, foreign } = await running().open('bo', webhooks);
    await clickButton(page, '#main', 'Create a webhook');
    await fill(page, 'Description', 'Closed');
    await fill(page, 'Address', `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    await clickButton(page, 'dialog', 'Create');
    await storeSecret(page);
    receiver.status = 500;
    await clickButton(page, '[data-webhook]', 'Test');
    await untilText(page, result, 'failing');
    const events = await page.$eval('[data-webhook] h2 a', (link) => (link as unknown as { href: string }).href);
    const faults = await lookAtAll(page, [
      ['settings-webhook-events', events],
      ['settings-webhooks', `${running().url}${webhooks}`, 'Create a webhook'],
    ]);
    await check(page, allEvents);
    faults.push(...(await look(page, 'settings-webhooks-types')));
    expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });

    const me = JSON.parse(
      JSON.stringify(await page.evaluate(`fetch('/api/me').then((reply) => reply.json())`)).replaceAll('"owner"', '"manager"'),
    );
    await page.setRequestInterception(true);
    page.on('request', (request) =>
      new URL(request.url()).pathname === '/api/me'
        ? void request.respond({ contentType: 'application/json', body: JSON.stringify(me) })
        : void request.continue(),
    );
    await goTo(page, `${running().url}${webhooks}`);
    const buttons = await page.$$eval('#main button:not(.copy)', (all) => all.map(({ textContent }) => textContent));
    expect(buttons).toEqual(['Test: Closed']);
    await goTo(page, events);
    await untilText(page, '#main tbody tr', 'Repeat');
  },
  600_000,
);
