import { randomUUID } from 'node:crypto';
import { type CornerClient, createClient } from '@corner/client';
import { people } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { payAndConfirm } from '../testing/order-scenario.ts';
import { type OwnStore, openStoreOfBo } from '../testing/own-store.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import { browseConsole, type ConsoleInBrowser, clickButton, executable, fill, goTo, untilText } from './testing/console-in-browser.ts';
import { look, lookAtAll } from './testing/look.ts';

const inBrowser = executable ? test : test.skip;

let console: ConsoleInBrowser | undefined;
let owner: CornerClient;
let ofCoffee: { readonly params: { readonly path: { readonly store_id: string } } };
let ofCuts: typeof ofCoffee;
let coffee: string;
let cuts: string;
let order: Awaited<ReturnType<typeof customerOf>>;

beforeAll(async () => {
  if (!executable) return;
  console = await browseConsole(await sharedEnvironment('whole'));
  const { system } = console.environment;
  const stores = [await openStoreOfBo('coffee', system, { cy: 'staff' }), await openStoreOfBo('cuts', system)] as const;
  const claims = { typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: stores.map(({ id }) => id) } as const;
  owner = createClient({ baseUrl: system.gatewayUrl, token: await system.tokens.token(claims) });
  [ofCoffee, ofCuts] = [{ params: { path: { store_id: stores[0].id } } }, { params: { path: { store_id: stores[1].id } } }];
  [coffee, cuts] = [`/shop/${stores[0].id}`, `/shop/${stores[1].id}`];
  order = await customerOf(console, stores[0]);
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
});

const running = (): ConsoleInBrowser => console as ConsoleInBrowser;
const menuOfCoffee = async () => {
  const guest = createClient({ baseUrl: running().environment.system.gatewayUrl });
  return (await guest.GET('/api/v1/orders/stores/{store_id}/menu', ofCoffee)).data.items;
};

async function customerOf({ environment }: ConsoleInBrowser, { id: store_id, code: store_code }: OwnStore) {
  const { gatewayUrl, tokens } = environment.system;
  const ana = createClient({ baseUrl: gatewayUrl, token: await tokens.token({ typ: 'customer', sub: people.ana.id }) });
  return async (choices: string[], note: string): Promise<string> => {
    const items = [{ menu_item_id: 'espresso', quantity: 1, choices, note }];
    const { data } = await ana.POST('/api/v1/orders', {
      body: { store_id, store_code, idempotency_key: randomUUID(), items, order_type: 'collect', collection_mode: 'now' },
    });
    await payAndConfirm(environment, ana, store_id, data);
    return data.order_id;
  };
}

async function save(page: Page, said: string): Promise<void> {
  await page.keyboard.down('Control');
  await page.keyboard.press('s');
  await page.keyboard.up('Control');
  await untilText(page, '.announced', said);
  await page.waitForFunction(`!document.querySelector('.unsaved')`);
}

inBrowser('the menu: a price is changed and an item moved by the keyboard, a list is pasted, and customers see it so', async () => {
  const { page, errors } = await running().open('bo', `${coffee}/settings/menu`);
  await fill(page, 'Price of Flat white', '3.60');
  await page.focus('::-p-aria([name="Move Flat white up"])');
  await page.keyboard.press('Enter');
  await untilText(page, '.announced', 'Flat white is number 1 of');
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move Flat white up');
  await save(page, 'Menu saved.');
  await until(async () => (await menuOfCoffee()).find(({ id }) => id === 'flat-white')?.price_pence === 360, {
    describe: 'customers to see the new price',
  });

  await clickButton(page, '#main', 'Paste a menu');
  await page.type('dialog textarea', 'Flat white 3.70\nDrinks\nScone £2.80\n');
  await untilText(page, 'dialog .paste-faults', 'Line 2, “Drinks”: There is no price at its end');
  // The event of the cancelled file choice bubbles through the dialog, which must stay open.
  await page.$eval('dialog input[type="file"]', (input) => input.dispatchEvent(new Event('cancel', { bubbles: true })));
  await clickButton(page, 'dialog', 'Leave 1 line out');
  await clickButton(page, 'dialog', 'Put into the menu');
  await save(page, 'Menu saved.');
  const { menu } = (await owner.GET('/api/v1/directory/stores/{store_id}/menu', ofCoffee)).data;
  expect(menu.items[0]).toMatchObject({ id: 'flat-white', price_pence: 370, vat_rate_bps: 2000 });
  expect(menu.items.at(-1)).toMatchObject({ id: 'scone', name: 'Scone', price_pence: 280 });
  expect(errors).toEqual([]);
});

inBrowser('an item gets a part of the menu, its allergens and its options, and customers choose from them', async () => {
  const { page, errors } = await running().open('bo', `${coffee}/settings/menu`);
  const choose = async (label: string) => {
    const field = await page.waitForSelector(`::-p-aria([name="${label}"])`);
    await field?.evaluate((element) => (element as unknown as { click(): void }).click());
  };
  await page.waitForSelector('details summary');
  await page.evaluate(
    `[...document.querySelectorAll('summary')].find(({ textContent }) => textContent.endsWith('more of Espresso')).click()`,
  );
  await fill(page, 'Part of the menu', 'Coffee');
  await (await page.waitForSelector('::-p-aria([name="Allergens of Espresso"][role="combobox"])'))?.select('none');
  await choose('Vegan');
  await clickButton(page, '#main', 'Add an option');
  await fill(page, 'Option of Espresso', 'Size');
  await fill(page, 'New choice of Size of Espresso', 'Double');
  await page.keyboard.press('Enter');
  await fill(page, 'Price of Double of Size of Espresso', '0.80');
  await page.select('.copy-options select', 'flat-white');
  expect(await look(page, 'settings-menu-options')).toEqual([]);
  await page.setViewport({ width: 1440, height: 900 });
  await save(page, 'Menu saved.');
  const espresso = async () => (await menuOfCoffee()).find(({ id }) => id === 'espresso') as unknown as Record<string, unknown>;
  await until(async () => (await espresso()).category === 'Coffee', { describe: 'customers to see the new part of the menu' });
  expect(await espresso()).toMatchObject({
    allergens: [],
    diet: ['vegan'],
    options: [
      { name: 'Size', min: 0, max: 1, choices: [{ id: 'double', name: 'Double', price_pence: 80, allergens: null }] },
      { name: 'Milk', choices: [{ id: 'whole-milk' }, { id: 'oat-milk', price_pence: 40, allergens: ['gluten'] }] },
      { name: 'Extras' },
    ],
  });
  expect(errors).toEqual([]);
});

inBrowser('the board and the order show what was chosen and noted, and the menu of the moment switches a choice', async () => {
  const order_id = await order(['double', 'oat-milk'], 'no lid, please');
  const { page, errors } = await running().open('bo', `${coffee}/orders`);
  await untilText(page, `[data-order="${order_id}"]`, 'Double, Oat milk');
  await untilText(page, `[data-order="${order_id}"]`, '“no lid, please”');
  await clickButton(page, `[data-order="${order_id}"]`, 'Details');
  await untilText(page, 'dialog', 'Milk: Oat milk, £0.40');
  expect(await look(page, 'order-with-choices')).toEqual([]);
  await page.setViewport({ width: 1440, height: 900 });
  await goTo(page, `${running().url}${coffee}/menu`);
  await untilText(page, '[data-item="oat-milk"]', 'chosen with ');
  await clickButton(page, '[data-item="oat-milk"]', 'Until I say');
  await untilText(page, '.announced', 'Oat milk is sold out.');
  const milk = (await menuOfCoffee()).find(({ id }) => id === 'flat-white')?.options[0]?.choices;
  expect(milk?.map(({ id, sold_out }) => [id, sold_out])).toEqual([
    ['whole-milk', false],
    ['oat-milk', true],
  ]);
  expect(errors).toEqual([]);
});

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

inBrowser('the loyalty card: its goal and its logo are in the preview at once, and are saved together', async () => {
  const { page, errors } = await running().open('bo', `${coffee}/settings/card`);
  await fill(page, 'Stamps for a reward', '7');
  await page.waitForFunction(`document.querySelectorAll('.card-stamp').length === 7`);
  await page.evaluate(`{
    const bytes = Uint8Array.from(atob('${pixel}'), (sign) => sign.charCodeAt(0));
    const files = new DataTransfer();
    files.items.add(new File([bytes], 'logo.png', { type: 'image/png' }));
    const field = document.querySelector('.picture-field input');
    field.files = files.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }`);
  await page.waitForFunction(`document.querySelector('.card-store img')?.naturalWidth === 1`);
  await save(page, 'saved.');
  const { programme } = (await owner.GET('/api/v1/directory/stores/{store_id}/programme', ofCoffee)).data;
  const { store } = (await owner.GET('/api/v1/directory/stores/{store_id}', ofCoffee)).data;
  expect([programme.goal, programme.tags.length]).toEqual([7, 1]);
  const kept = await fetch(`${running().environment.system.gatewayUrl}${store.branding.logo_url}`);
  expect([kept.status, Buffer.from(await kept.arrayBuffer()).toString('base64')]).toEqual([200, pixel]);
  expect(errors).toEqual([]);
});

inBrowser('people: an owner sees who opened which customer', async () => {
  const { page, errors } = await running().open('bo', `${coffee}/customers/${people.ana.id}`);
  await page.waitForSelector('h1');
  const record = async () =>
    (await owner.GET('/api/v1/directory/stores/{store_id}/data-access', ofCoffee)).data.entries.map(({ what }) => what);
  await until(async () => (await record()).includes('card'), { describe: 'the look at the customer to be recorded' });
  await goTo(page, `${running().url}${coffee}/settings/people`);
  await untilText(page, '.log-list', 'Opened by Bo');
  expect(errors).toEqual([]);
});

inBrowser('people: an owner lets a partner in, whose secret is shown once, makes a new one, and withdraws it', async () => {
  const { page, errors } = await running().open('bo', `${coffee}/settings/people`);
  await clickButton(page, '#main', 'Let a partner in');
  await fill(page, 'Name of the partner', 'Ledgerly');
  await clickButton(page, 'dialog', 'Create');
  await untilText(page, 'dialog', 'I have both');
  const shown = () => page.$$eval('dialog code', (codes) => codes.map(({ textContent }) => textContent));
  const [client_id = '', client_secret = ''] = await shown();
  const { gatewayUrl } = running().environment.system;
  const token = async (secret: string) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret: secret });
    return (await fetch(`${gatewayUrl}/api/v1/directory/token/partner`, { method: 'POST', body })).status;
  };
  expect(await token(client_secret)).toBe(200);
  await clickButton(page, 'dialog', 'I have both');
  expect(await page.$eval('#main', ({ textContent }) => textContent)).not.toContain(client_secret);
  const of = `[data-partner="${client_id}"]`;
  await clickButton(page, of, 'New secret');
  await clickButton(page, 'dialog', 'Make it');
  await untilText(page, 'dialog', 'I have both');
  expect([await token((await shown())[1] ?? ''), await token(client_secret)]).toEqual([200, 200]);
  await clickButton(page, 'dialog', 'I have both');
  await clickButton(page, of, 'Withdraw');
  await clickButton(page, 'dialog', 'Withdraw');
  await page.waitForFunction(`!document.querySelector('${of}')`);
  expect(await token(client_secret)).toBe(401);
  const faults = await lookAtAll(page, [['settings-partners', page.url(), 'Let a partner in']]);
  expect({ faults, errors }).toEqual({ faults: [], errors: [] });
});

inBrowser('people: an owner dismisses a person, who is gone from the store; the last owner stays', async () => {
  const { page } = await running().open('bo', `${coffee}/settings/people`);
  const of = (id: string) => `[data-person="${id}"]`;
  await clickButton(page, of(people.cy.id), 'Dismiss');
  await clickButton(page, 'dialog', 'Dismiss');
  await untilText(page, '.announced', 'Cy is dismissed.');
  await page.waitForFunction(`!document.querySelector('${of(people.cy.id)}')`);
  await clickButton(page, of(people.bo.id), 'Dismiss');
  await clickButton(page, 'dialog', 'Dismiss');
  await untilText(page, 'dialog [role="alert"]', 'LAST_OWNER');
  const { staff } = (await owner.GET('/api/v1/directory/stores/{store_id}/staff', ofCoffee)).data;
  expect(staff.map(({ name }) => name)).toEqual(['Bo']);
});

inBrowser('the floor and the diary: a chair is added and booked, the booking is moved, started and undone', async () => {
  const { page, errors } = await running().open('bo', `${cuts}/settings/floor`);
  await clickButton(page, '#main', 'Add a chair');
  await page.type('.list-row:has(.chair-services):last-child .field:first-child input', 'Chair 3');
  await save(page, 'Floor saved.');
  await goTo(page, `${running().url}${cuts}/diary?date=2027-03-28`);
  await clickButton(page, '#main', 'Block a time');
  await page.select('dialog select', await page.$eval('dialog select option:last-child', (last) => last.getAttribute('value') ?? ''));
  await page.$eval('dialog input[type="time"]', (field) => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, '09:00');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await clickButton(page, 'dialog', 'Block');
  const booked = '.diary-chair[aria-label="Chair 3"] .booking';
  await untilText(page, booked, '09:00–09:25');
  await clickButton(page, booked, 'Move');
  await fill(page, 'Minutes', '45');
  await clickButton(page, 'dialog', 'Move');
  await untilText(page, booked, '09:00–09:45');
  await clickButton(page, booked, 'Start');
  await untilText(page, booked, 'started');
  await clickButton(page, '.announced', 'Undo');
  await untilText(page, booked, 'booked');
  // The clocks went forward in the night before.
  const query = { from: '2027-03-28T00:00:00Z' };
  const { bookings } = (await owner.GET('/api/v1/directory/stores/{store_id}/bookings', { params: { ...ofCuts.params, query } })).data;
  expect(bookings.map(({ starts_at, ends_at, state }) => [Date.parse(starts_at), Date.parse(ends_at), state])).toEqual([
    [Date.UTC(2027, 2, 28, 8), Date.UTC(2027, 2, 28, 8, 45), 'booked'],
  ]);
  expect(errors).toEqual([]);
});

inBrowser('an appointment that a guest has booked is in the diary of its day, and staff cancel it', async () => {
  const { store_id } = ofCuts.params.path;
  const { services } = (await owner.GET('/api/v1/queue/stores/{store_id}', ofCuts)).data;
  const service_id = services[0]?.id ?? '';
  const query = { service_id, days: 2 };
  const { times } = (await owner.GET('/api/v1/queue/stores/{store_id}/times', { params: { ...ofCuts.params, query } })).data;
  const starts_at = times.at(-1)?.starts_at ?? '';
  const guest = { guest_name: 'Mo', guest_phone: '+447700900199' };
  const { booking } = (await owner.POST('/api/v1/queue/bookings', { body: { store_id, service_id, starts_at, ...guest } })).data;
  const date = new Date(starts_at).toLocaleDateString('sv-SE', { timeZone: 'Europe/London' });
  const { page, errors } = await running().open('bo', `${cuts}/diary?date=${date}`);
  await untilText(page, '.diary-chair .booking', 'Mo');
  await untilText(page, '.diary-chair .booking', 'booked');
  expect(await look(page, 'appointments')).toEqual([]);
  await clickButton(page, '.diary-chair .booking', 'Cancel');
  await untilText(page, '.diary-chair .booking', 'cancelled');
  const params = { path: { appointment_id: booking.appointment_id }, query: { store_id } };
  expect((await owner.GET('/api/v1/queue/bookings/{appointment_id}', { params })).data.booking.status).toBe('cancelled');
  expect(errors).toEqual([]);
});

inBrowser(
  'every page of what a shop offers is usable on a phone, a tablet and a desktop, light and dark',
  async () => {
    const { page, foreign, errors } = await running().open('bo', `${coffee}/settings`);
    const faults = await lookAtAll(page, [
      ['settings-menu', `${running().url}${coffee}/settings/menu`, 'Paste a menu'],
      ['settings-promos', `${running().url}${coffee}/settings/promos`],
      ['settings-slots', `${running().url}${cuts}/settings/slots`],
      ['settings-floor', `${running().url}${cuts}/settings/floor`],
      ['settings-card', `${running().url}${coffee}/settings/card`],
      ['settings-tags', `${running().url}${coffee}/settings/tags`],
      ['settings-people', `${running().url}${coffee}/settings/people`, 'Invite a person'],
      ['diary', `${running().url}${cuts}/diary?date=2027-03-28`, 'Block a time'],
    ]);
    expect({ faults, foreign, errors }).toEqual({ faults: [], foreign: [], errors: [] });
  },
  600_000,
);
