import { randomUUID } from 'node:crypto';
import { type CornerClient, createClient } from '@corner/client';
import { people } from '@corner/sandbox/demo';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { click } from '../testing/open-browser.ts';
import { openStoreOfBo } from '../testing/own-store.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import {
  browseConsole,
  type ConsoleInBrowser,
  clickButton,
  executable,
  fill,
  goTo,
  setHidden,
  untilRead,
  untilText,
} from './testing/console-in-browser.ts';
import { look } from './testing/look.ts';
import { loseResponse } from './testing/lose-response.ts';

const inBrowser = executable ? test : test.skip;
let path: { readonly store_id: string };
let settings: string;

let console: ConsoleInBrowser | undefined;
let fay: CornerClient;
let bo: CornerClient;

beforeAll(async () => {
  if (!executable) return;
  console = await browseConsole(await sharedEnvironment('whole'));
  const { tokens, gatewayUrl } = console.environment.system;
  const { id: store_id } = await openStoreOfBo('coffee', console.environment.system);
  path = { store_id };
  settings = `/shop/${store_id}/settings`;
  const clientOf = async (sub: string, name: string, role: 'owner' | 'manager') =>
    createClient({ baseUrl: gatewayUrl, token: await tokens.token({ typ: 'merchant', sub, name, stores: [store_id], role }) });
  fay = await clientOf(randomUUID(), 'Fay', 'manager');
  bo = await clientOf(people.bo.id, 'Bo', 'owner');
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
});

const running = (): ConsoleInBrowser => console as ConsoleInBrowser;
const readStore = async () => (await bo.GET('/api/v1/directory/stores/{store_id}', { params: { path } })).data;
const change = async (body: { welcome_message?: string; called_hold_minutes?: number }) =>
  await fay.PATCH('/api/v1/directory/stores/{store_id}', {
    params: { path, header: { 'Idempotency-Key': randomUUID(), 'If-Match': '*' } },
    body,
  });

const field = (label: string): string => `::-p-aria([name="${label}"])`;

const typedIn = (page: Page, label: string): Promise<string> =>
  page.$eval(field(label), (input) => (input as unknown as { value: string }).value);

const saveIsOff = 'document.querySelector(\'.unsaved button[type="submit"]\').disabled';

inBrowser('two people who edit the settings see what the other changed, and decide where both have changed the same', async () => {
  const { page, errors } = await running().open('bo', `${settings}/store`);
  await fill(page, 'Welcome message', 'Welcome from Bo');
  await change({ welcome_message: 'Welcome from Fay', called_hold_minutes: 7 });
  await untilText(page, '#main .changed', 'Fay changed');
  await untilText(page, '#main .conflicts', 'Keep mine for Welcome message: Welcome from Bo');
  expect(await page.evaluate(saveIsOff)).toBe(true);
  await clickButton(page, '#main .conflicts', 'Keep mine');
  await clickButton(page, '#main', 'Save');
  await untilText(page, '.announced', 'Settings saved.');
  expect((await readStore()).store).toMatchObject({ welcome_message: 'Welcome from Bo', called_hold_minutes: 7 });

  await clickButton(page, '#main .changed', 'OK');
  await setHidden(page, true);
  await fill(page, 'Welcome message', 'Bo again');
  await change({ welcome_message: 'Fay again' });
  await clickButton(page, '#main', 'Save');
  await untilText(page, '#main .conflicts', 'Take theirs for Welcome message: Fay again');
  expect((await readStore()).store.welcome_message).toBe('Fay again');
  await clickButton(page, '#main .conflicts', 'Take theirs');
  await page.waitForFunction(`!document.querySelector('.unsaved')`);
  expect(await typedIn(page, 'Welcome message')).toBe('Fay again');
  await setHidden(page, false);
  expect(errors.filter((error) => !error.includes('412'))).toEqual([]);
});

inBrowser(
  'changes that are not saved outlive a reload and ask before they are left; a save whose response is lost is made once',
  async () => {
    const { page } = await running().open('bo', `${settings}/orders`);
    page.on('dialog', (dialog) => void dialog.accept());
    await fill(page, 'Possible for', '30');
    await page.reload({ waitUntil: 'load' });
    await untilText(page, '.unsaved', 'Unsaved changes');
    expect(await typedIn(page, 'Possible for')).toBe('30');

    await click(page, '.side a[href$="/queue"]');
    await untilText(page, 'dialog[open]', 'Your changes are not saved');
    await clickButton(page, 'dialog[open]', 'Stay here');
    await page.goBack();
    await goTo(page, `${running().url}${settings}/orders`);
    await untilText(page, '.unsaved', 'Unsaved changes');

    await fill(page, 'Possible for', '999');
    await clickButton(page, '#main', 'Save');
    await untilText(page, '.unsaved', 'Refunds are possible for: Must be at most 180.');
    expect(await page.$eval(field('Possible for'), (input) => input.matches(':focus[aria-invalid="true"]'))).toBe(true);
    await fill(page, 'Possible for', '30');

    await setHidden(page, true);
    const { version } = await readStore();
    const { lost } = await loseResponse(page, 'PATCH', /\/directory\/stores\/[^/]+$/);
    await page.keyboard.down('Control');
    await page.keyboard.press('s');
    await page.keyboard.up('Control');
    await lost;
    await page.waitForFunction(`!document.querySelector('.unsaved')`);
    expect(await readStore()).toMatchObject({ version: version + 1, store: { refund_window_days: 30 } });
    await setHidden(page, false);

    await fill(page, 'Possible for', '60');
    await click(page, '.side a[href$="/queue"]');
    await clickButton(page, 'dialog[open]', 'Save and leave');
    await untilText(page, 'h1', 'Queue');
    expect((await readStore()).store.refund_window_days).toBe(60);
  },
);

inBrowser('each section fits a desktop, a tablet and a phone, is reached by the keyboard and has no fault of accessibility', async () => {
  const { page, errors, foreign } = await running().open('bo', settings);
  const faults = await look(page, 'settings');
  for (const section of ['store', 'address', 'hours', 'orders', 'payments', 'contacts']) {
    await goTo(page, `${running().url}${settings}/${section}`);
    faults.push(...(await look(page, `settings-${section}`)));
  }
  await untilRead(page);
  expect({ faults, errors, foreign }).toEqual({ faults: [], errors: [], foreign: [] });
});

inBrowser('a shop is opened once, and whole, though the responses of two steps are lost and the page is loaded again', async () => {
  const { page } = await running().open('bo', '/open');
  page.on('dialog', (dialog) => void dialog.accept());
  await fill(page, 'Name', 'Lost and Found');
  await page.type('textarea', 'Flat white 3.20\nCroissant 2.80');
  const openAndLose = async (method: string, path: RegExp) => {
    const { lost } = await loseResponse(page, method, path);
    await clickButton(page, '#main', 'Open the shop');
    await lost;
    await untilText(page, '.opening-steps', 'Press the button again');
  };
  await openAndLose('POST', /\/directory\/stores$/);
  await page.reload({ waitUntil: 'load' });
  await untilRead(page);
  expect(await typedIn(page, 'Name')).toBe('Lost and Found');
  await openAndLose('PATCH', /\/menu$/);
  await clickButton(page, '#main', 'Open the shop');
  await page.waitForFunction(`location.pathname.endsWith('/settings/payments')`);

  const read = async (path: string) => await page.evaluate(`fetch('/api/v1/directory/stores${path}').then((reply) => reply.json())`);
  const { stores: mine } = (await read('')) as { readonly stores: readonly { readonly id: string; readonly name: string }[] };
  const opened = mine.filter(({ name }) => name === 'Lost and Found');
  expect(opened).toEqual([expect.objectContaining({ code: 'LOSTAN', status: 'live', role: 'owner' })]);
  const { menu } = (await read(`/${opened[0]?.id}/menu`)) as { readonly menu: object };
  expect(menu).toMatchObject({
    items: [
      { id: 'flat-white', price_pence: 320 },
      { id: 'croissant', price_pence: 280 },
    ],
  });
  const { programme } = (await read(`/${opened[0]?.id}/programme`)) as { readonly programme: object };
  expect(programme).toMatchObject({ enabled: true, goal: 10, reward: { kind: 'item', item_id: 'flat-white' } });
});

inBrowser('a store finds its address and its code to print, and a code of each table that is typed', async () => {
  const { page, errors } = await running().open('bo', `${settings}/address`);
  await page.waitForSelector('.poster svg');
  const link = await page.$eval('#main a[target="_blank"]', (anchor) => anchor.href);
  const { data } = await bo.GET('/api/v1/directory/stores/{store_id}', { params: { path } });
  expect(new URL(link).pathname).toBe(`/s/${data.store.code}`);
  await fill(page, 'Tables', '1-3, Bar');
  await page.waitForFunction('document.querySelectorAll(".poster").length === 4');
  const addresses = await page.$$eval('.poster-address', (found) => found.map((each) => each.textContent?.replace(/.*\/s\//, '')));
  expect(addresses).toEqual(['1', '2', '3', 'Bar'].map((table) => `${data.store.code}?table=${table}`));
  await fill(page, 'Tables', '3-1');
  await untilText(page, '.field-error', 'write 1-3');
  expect(errors).toEqual([]);
});
