import { randomUUID } from 'node:crypto';
import { people } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { type Barber, barberOf } from '../testing/barber.ts';
import { callApi } from '../testing/call-api.ts';
import { openStoreOfBo, publishDirectory } from '../testing/own-store.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import { browseConsole, type ConsoleInBrowser, clickButton, executable, fill, goTo, untilText } from './testing/console-in-browser.ts';
import { look } from './testing/look.ts';

const inBrowser = executable ? test : test.skip;

let console: ConsoleInBrowser | undefined;
let barber: Barber;
let store: Awaited<ReturnType<typeof openStoreOfBo>>;
let customers: readonly string[];

beforeAll(async () => {
  if (!executable) return;
  console = await browseConsole(await sharedEnvironment('whole'));
  const { environment } = console;
  store = await openStoreOfBo('cuts', environment.system);
  barber = barberOf(environment, store.id);
  customers = await barber.newCustomers(5);
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
});

const running = (): ConsoleInBrowser => console as ConsoleInBrowser;
const call = (method: string, path: string, token: string | null, body?: object) =>
  callApi(running().environment.system, method, path, token, body);
const pageOf = (path: string): string => `/shop/${store.id}/${path}`;
const tokenOf = (sub: string) => running().environment.system.tokens.token({ typ: 'customer', sub });
const textsTo = async (id: string) => (await barber.received(id)).map(({ text }) => text);

/** Campaigns go from nine to nine at the store: it is where it is neither night nor evening now. */
async function moveToDay(): Promise<void> {
  const hour = new Date().getUTCHours();
  const time_zone = hour >= 9 && hour < 19 ? 'Etc/UTC' : hour >= 19 ? 'America/Los_Angeles' : 'Asia/Tokyo';
  await call('PATCH', `/directory/stores/${store.id}`, store.merchant, { time_zone });
  const zone = async () => (await call('GET', `/orders/stores?code=${store.code}`, null)).stores[0]?.time_zone;
  await until(async () => (await zone()) === time_zone, { describe: 'the zone of the store' });
}

async function setAudience([near, silent, fresh]: readonly string[]): Promise<void> {
  await call('PATCH', `/directory/stores/${store.id}/programme`, store.merchant, { goal: 2 });
  const ofCustomer = (id: string) => `/loyalty/customer-state?store_id=${store.id}&customer_id=${id}`;
  await until(async () => (await call('GET', ofCustomer(near ?? ''), store.merchant)).goal === 2, { describe: 'the goal of the card' });
  for (const customer_id of [near, silent])
    await call('POST', '/loyalty/stamps', store.merchant, { store_id: store.id, customer_id, idempotency_key: `stamp-${customer_id}` });
  for (const id of [near, fresh])
    await call('POST', '/notifications/marketing-opt-in', await tokenOf(id ?? ''), { store_id: store.id, accepted: true });
}

async function writeCampaign(page: Page, title: string, body: string): Promise<void> {
  await clickButton(page, '#main', 'Write a campaign');
  await page.select('dialog select', 'one_stamp_to_go');
  await fill(page, 'First line', ' ');
  await fill(page, 'Text', body);
  await clickButton(page, 'dialog', 'Count whom it reaches');
  await untilText(page, 'dialog .field-error', 'Must');
  await fill(page, 'First line', title);
}

inBrowser(
  'a campaign for those with one stamp to go: counted, named in the question, and sent to those who said yes and no one else',
  async () => {
    const [near = '', silent = '', fresh = ''] = customers;
    await moveToDay();
    await setAudience([near, silent, fresh]);
    const { page, errors } = await running().open('bo', pageOf('campaigns'));
    await untilText(page, '#main', 'No campaign yet.');
    await writeCampaign(page, 'One to go', 'Your next cut is the one.');
    await page.reload({ waitUntil: 'load' });
    await clickButton(page, '#main', 'Write a campaign');
    expect(await page.$eval('dialog textarea', (field) => (field as unknown as { value: string }).value)).toBe('Your next cut is the one.');
    const counted = async () => {
      await clickButton(page, 'dialog', 'Count whom it reaches');
      await page.waitForFunction(`/Send it to|No one/.test(document.querySelector('dialog h2')?.textContent)`);
      return await page.$eval('dialog h2', ({ textContent }) => textContent);
    };
    // The stamp may reach the messages a moment after the card.
    await until(
      async () => {
        if ((await counted()) === 'Send it to 1 customer?') return true;
        await page.keyboard.press('Escape');
        await clickButton(page, '[data-campaign]', 'Continue');
        return false;
      },
      { describe: 'the audience of one' },
    );
    await clickButton(page, 'dialog', 'Send a test');
    await untilText(page, 'dialog', 'of the store.');
    expect(await look(page, 'campaign-send')).toEqual([]);
    expect(await textsTo(near)).not.toContain('Your next cut is the one.');
    await clickButton(page, 'dialog', 'Send to 1');
    await until(async () => (await textsTo(near)).includes('Your next cut is the one.'), { describe: 'the campaign' });
    await untilText(page, '[data-campaign]', '1 sent');
    await untilText(page, '[data-campaign]', 'too early to compare');
    for (const id of [silent, fresh]) expect(await textsTo(id)).not.toContain('Your next cut is the one.');
    expect(await page.$$eval('[data-campaign]', (all) => all.filter(({ textContent }) => textContent?.includes(' sent')).length)).toBe(1);
    expect(await look(page, 'campaigns')).toEqual([]);
    expect(errors.filter((error) => !error.includes('400 (Bad Request)'))).toEqual([]);
  },
);

inBrowser(
  'a message is written to one who waits in the queue, with a name; that they muted the store is said before the next',
  async () => {
    const id = customers[3] ?? '';
    const { setPreferences } = await barber.join(id);
    const { page, errors } = await running().open('bo', pageOf('queue'));
    await clickButton(page, '[data-column="waiting"] [aria-label="Dee"]', 'Write');
    await fill(page, 'Message', 'Your chair is the left one.');
    await untilText(page, 'dialog', '133 of 160 characters are left.');
    expect(await look(page, 'write-message')).toEqual([]);
    await clickButton(page, 'dialog', 'Send');
    await until(async () => (await textsTo(id)).includes('Your chair is the left one.'), { describe: 'the message' });

    await setPreferences({ messagesMuted: true });
    await goTo(page, `${running().url}${pageOf(`customers/${id}`)}`);
    await untilText(page, '.log-list', 'Your chair is the left one. by Bo');
    await clickButton(page, '#main', 'Write');
    await fill(page, 'Message', 'Are you near?');
    await clickButton(page, 'dialog', 'Send');
    await untilText(page, '.log-list', 'not sent: muted');
    await clickButton(page, '#main', 'Write');
    await untilText(page, 'dialog [role="alert"]', 'has muted the store');
    expect(await textsTo(id)).not.toContain('Are you near?');
    expect(errors).toEqual([]);
  },
);

inBrowser('what a customer answers to a text is on their page, below what staff have written since', async () => {
  const [id, phone] = [randomUUID(), '+447700900461'];
  await publishDirectory(running().environment.system, { customers: [{ id, name: 'Eve', phone }] });
  const { move } = await barber.join(id);
  await move('call');
  await until(async () => (await barber.inbox(`?to=${encodeURIComponent(phone)}`)).length === 1, { describe: 'the text of the call' });
  expect(await barber.answer(phone, 'Two minutes!')).toMatchObject({ status: 200 });
  const { page, errors } = await running().open('bo', pageOf(`customers/${id}`));
  await untilText(page, '.log-list', 'Two minutes!answered by text');
  await clickButton(page, '#main', 'Write');
  await fill(page, 'Message', 'We wait for you.');
  await untilText(page, 'dialog .log-list', 'Two minutes!');
  await clickButton(page, 'dialog', 'Send');
  await untilText(page, '.log-list li:first-child', 'We wait for you. by Bo');
  await untilText(page, '.log-list li:last-child', 'Two minutes!');
  expect(await look(page, 'answers')).toEqual([]);
  expect(errors).toEqual([]);
});

async function timeOfClass(): Promise<{ readonly date: string; readonly time: string }> {
  const { services } = await call('GET', `/queue/stores/${store.id}`, null);
  const { times, time_zone } = await call('GET', `/queue/stores/${store.id}/times?service_id=${services[0].id}&days=2`, null);
  const [date = '', time = ''] = new Date(times.at(-1).starts_at).toLocaleString('sv-SE', { timeZone: time_zone }).split(' ');
  return { date, time: time.slice(0, 5) };
}

const setTime = (page: Page, time: string) =>
  page.$eval(
    'dialog input[type="time"]',
    (field, typed) => {
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, typed);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    },
    time,
  );

inBrowser('a class is added to the diary, shows who comes and how many places are taken, and is cancelled with a reason', async () => {
  const customer = await tokenOf(customers[4] ?? '');
  const { date, time } = await timeOfClass();
  const { page, errors } = await running().open('bo', pageOf(`diary?date=${date}`));
  await clickButton(page, '#main', 'Add a class');
  await fill(page, 'Places', '3');
  await setTime(page, time);
  await clickButton(page, 'dialog', 'Add');
  const card = '.diary-chair .booking';
  await untilText(page, card, '0 of 3 places');
  const day = async () => (await call('GET', `/queue/stores/${store.id}/bookings?day=${date}`, store.merchant)).sessions;
  const [{ session_id }] = await day();
  await call('POST', '/queue/bookings', customer, { store_id: store.id, session_id, party_size: 2 });
  await untilText(page, card, '2 of 3 places');
  await untilText(page, `${card} a[href*="${customers[4]}"]`, 'Dee');
  expect(await look(page, 'class')).toEqual([]);
  await clickButton(page, card, 'Cancel the class');
  await untilText(page, 'dialog', '2 places are booked, or kept');
  await fill(page, 'Reason, for the record', 'The teacher is ill.');
  await clickButton(page, 'dialog', 'Cancel the class');
  await untilText(page, card, 'cancelled');
  const [after] = await day();
  const { entries } = await call('GET', `/queue/log?store_id=${store.id}&limit=20`, store.merchant);
  expect(entries).toContainEqual(expect.objectContaining({ title: 'A class was cancelled', detail: 'The teacher is ill.' }));
  expect([after.state, after.bookings[0].status, after.bookings[0].by.name]).toEqual(['cancelled', 'cancelled', people.bo.name]);
  expect(errors).toEqual([]);
});

inBrowser('a weekly class is added, is in the diary, says on which days there is none, is changed and ended', async () => {
  const { date, time } = await timeOfClass();
  const { page, errors } = await running().open('bo', pageOf(`diary?date=${date}`));
  const weekly = 'section[aria-label="Weekly classes"]';
  await clickButton(page, weekly, 'Add a weekly class');
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
    await (await page.waitForSelector(`::-p-aria([name="${day}"][role="checkbox"])`))?.click();
  await setTime(page, time);
  await fill(page, 'Places', '3');
  await clickButton(page, 'dialog', 'Add');
  await untilText(page, `${weekly} .booking`, `Sunday at ${time}`);
  await untilText(page, '.diary-chair .booking', '0 of 3 places');
  const read = async () => (await call('GET', `/queue/stores/${store.id}/weekly-classes`, store.merchant)).weekly_classes;
  const [{ ahead }] = await read();
  const { session_id } = ahead.find((one: { state: string; day: string }) => one.state === 'open' && one.day === date);
  await call('POST', `/queue/sessions/${session_id}/cancel`, store.merchant, { store_id: store.id, reason: 'Ill.' });
  await untilText(page, `${weekly} .booking`, 'it is cancelled');
  expect(await look(page, 'weekly-class')).toEqual([]);
  await clickButton(page, weekly, 'Change');
  await fill(page, 'Places', '5');
  expect(await look(page, 'weekly-class-dialog')).toEqual([]);
  await clickButton(page, 'dialog', 'Change');
  await untilText(page, `${weekly} .booking`, '5 places');
  await clickButton(page, weekly, 'End');
  await clickButton(page, 'dialog', 'End it');
  await untilText(page, weekly, 'None.');
  expect(await read()).toEqual([]);
  expect(errors).toEqual([]);
});
