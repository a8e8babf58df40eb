import { randomUUID } from 'node:crypto';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { browseConsole, type ConsoleInBrowser, clickButton, untilText as untilShown } from '../console/testing/console-in-browser.ts';
import { type Barber, barberOf } from '../testing/barber.ts';
import { callApi } from '../testing/call-api.ts';
import { click } from '../testing/open-browser.ts';
import { openStoreOfBo, publishDirectory } from '../testing/own-store.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import { customerIdOf } from './testing/customers.ts';
import { browseShop, executable, press, type ShopInBrowser, untilText } from './testing/shop-in-browser.ts';

const inBrowser = executable ? test : test.skip;
const [cut, yoga] = [randomUUID(), randomUUID()];

let phones: ShopInBrowser;
let console: ConsoleInBrowser;
let barber: Barber;
let store: Awaited<ReturnType<typeof openStoreOfBo>>;

beforeAll(async () => {
  if (!executable) return;
  const environment = await sharedEnvironment('whole');
  [phones, console] = [await browseShop(environment), await browseConsole(environment)];
  store = await openStoreOfBo('cuts', environment.system);
  barber = barberOf(environment, store.id);
  await publishDirectory(environment.system, { floors: [floor()] });
  await call('PATCH', `/directory/stores/${store.id}`, { time_zone: zone, no_shows_allowed: 1 });
  const services = async () => (await call('GET', `/queue/stores/${store.id}`)).services.length;
  await until(async () => (await services()) === 2, { describe: 'the services of the salon' });
});
afterAll(async () => {
  await phones?.[Symbol.asyncDispose]();
  await console?.[Symbol.asyncDispose]();
});

const call = (method: string, path: string, body?: object, token = store.merchant) =>
  callApi(phones.environment.system, method, path, token, body);
const tokenOf = (sub: string) => phones.environment.system.tokens.token({ typ: 'customer', sub });

/** Two chairs and a studio, staffed day and night for two weeks, so that the test may run at any hour. */
function floor(): object {
  const from = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const dayAt = (day: number) => new Date(from + day * 86_400_000).toISOString();
  const shifts = Array.from({ length: 16 }, (_, day) => ({ starts_at: dayAt(day - 1), ends_at: dayAt(day) }));
  const unit = (name: string, service: string) => ({ id: randomUUID(), name, service_ids: [service], shifts });
  const services = [
    { id: cut, name: 'Cut', minutes: 25 },
    { id: yoga, name: 'Yoga', minutes: 60 },
  ];
  return { store_id: store.id, services, units: [unit('Chair 1', cut), unit('Chair 2', cut), unit('Studio', yoga)] };
}

/** A zone where it is between nine and ten in the morning, so that most of the day is still ahead. */
const zone = (() => {
  const ahead = ((9 - new Date().getUTCHours() + 36) % 24) - 12;
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
})();

const openPhone = async () => await (await phones.newPhone()).open(`/s/${store.code}/queue`);

/** Presses the last Saturday and a time of that day, or today and a time in a few hours. */
async function takeTime(page: Page, day: 'Saturday' | 'today'): Promise<void> {
  await page.waitForSelector('.booking-times button');
  const days = `[...document.querySelectorAll('input[name$="-day"]')].map((input) => input.closest('label'))`;
  const chosen = day === 'today' ? `${days}[0]` : `${days}.filter((one) => one.textContent.trim().startsWith('Saturday')).at(-1)`;
  await page.waitForFunction(chosen);
  await page.evaluate(`${chosen}.click()`);
  await page.waitForFunction(`document.querySelector('.booking-times legend').textContent.includes(${chosen}.textContent.trim())`);
  await click(page, `.booking-times button:nth-of-type(${day === 'today' ? 6 : 20})`);
}

/** Presses the first of these elements that holds the text. */
async function pressIn(page: Page, selector: string, text: string): Promise<void> {
  const found = `[...document.querySelectorAll('${selector}')].find((one) => one.textContent.includes(${JSON.stringify(text)}))`;
  await page.waitForFunction(found);
  await page.evaluate(`${found}.click()`);
}

const lastTimeOf = async (service: string): Promise<{ readonly starts_at: string; readonly unit_ids: readonly string[] }> =>
  (await call('GET', `/queue/stores/${store.id}/times?service_id=${service}&days=2`)).times.at(-1);

/** Gives the customer of a phone a name, and a device that gets the messages. */
async function nameCustomer(page: Page, name: string): Promise<string> {
  const id = await customerIdOf(page);
  const push_devices = [{ id: `phone-${id}`, platform: 'android' }];
  await publishDirectory(phones.environment.system, { customers: [{ id, name, push_devices }] });
  return id;
}

/** The first message of a template is due now, not in days. */
async function bringForward(customerId: string, template: string): Promise<void> {
  const first = `select topic from notifications.message where customer_id = '${customerId}' and template = '${template}' and state = 'pending' order by due_at limit 1`;
  await until(async () => (await barber.rows(first)).length > 0, { describe: template });
  await barber.rows(`with due as (update notifications.message set due_at = now() where topic = (${first}) returning topic)
    update notifications.topic set due_at = now() where key in (select topic from due)`);
}

const diary = () => console.open('bo', `/shop/${store.id}/diary`);

inBrowser('a cut for Saturday is booked on a phone, reminded of, moved to today, and taken early among the walk-ins', async () => {
  const { page, errors } = await openPhone();
  await press(page, 'Book a time');
  await takeTime(page, 'Saturday');
  await untilText(page, 'Cut', '.place');
  const ana = await nameCustomer(page, 'Ana');
  await bringForward(ana, 'booking.reminder');
  await until(async () => (await barber.titles(ana)).includes('Your booking is soon'), { describe: 'the reminder' });

  await press(page, 'Another time');
  await takeTime(page, 'today');
  await page.waitForFunction(`!document.querySelector('.booking-times')`);

  const walkIn = await openPhone();
  await walkIn.page.waitForSelector('.join');
  await walkIn.page.type('input[autocomplete="given-name"]', 'Eli');
  await press(walkIn.page, 'Join the queue');
  await untilText(walkIn.page, 'You are next', '.place');
  const board = await diary();
  await untilShown(board.page, '.diary', 'Ana');
  await clickButton(board.page, '.diary-chair .booking', 'Is here');
  await untilShown(board.page, '.diary', 'is here');
  await untilShown(board.page, '.diary', 'expected');
  const { sessions } = await call('GET', `/queue/stores/${store.id}/bookings`);
  const begun = sessions.map((one: { readonly starts_at: string }) => Date.parse(one.starts_at) <= Date.now());
  expect(begun).toEqual([true]);
  expect([errors, walkIn.errors, board.errors]).toEqual([[], [], []]);
});

inBrowser('a class of twelve is full, the thirteenth waits on a phone and takes the place that becomes free', async () => {
  const { starts_at, unit_ids } = await lastTimeOf(yoga);
  const { session } = await call('POST', '/queue/sessions', {
    store_id: store.id,
    service_id: yoga,
    unit_id: unit_ids[0],
    starts_at,
    places: 12,
  });
  const booked: { readonly id: string; readonly token: string }[] = [];
  for (const customer of await barber.newCustomers(12)) {
    const token = await tokenOf(customer);
    const { booking } = await call('POST', '/queue/bookings', { store_id: store.id, session_id: session.session_id }, token);
    booked.push({ id: booking.appointment_id, token });
  }
  const { page, errors } = await openPhone();
  await press(page, 'Book a time');
  await pressIn(page, 'div.join label', 'Yoga');
  await pressIn(page, '.booking-times button', 'full: wait for a place');
  await untilText(page, 'You are number 1 on the waiting list.', '.place');
  const bea = await nameCustomer(page, 'Bea');
  const [first] = booked;
  await call('POST', `/queue/bookings/${first?.id}/cancel`, { store_id: store.id }, first?.token);
  const offered = async () => (await barber.titles(bea)).some((title) => title.startsWith('A place is free until'));
  await until(offered, { describe: 'the offer of the place' });
  await page.reload({ waitUntil: 'load' });
  await press(page, 'Take the place');
  await page.waitForFunction(
    `document.querySelector('.place') && !document.querySelector('.place').textContent.includes('A place is free')`,
  );
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(Date.parse(starts_at));
  const board = await console.open('bo', `/shop/${store.id}/diary?date=${date}`);
  await untilShown(board.page, '.diary-chair[aria-label="Studio"] .booking', '12 of 12 places');
  await untilShown(board.page, '.diary-chair[aria-label="Studio"] .booking', 'Bea');
  expect([errors, board.errors]).toEqual([[], []]);
});

inBrowser('after a no-show the next booking waits for the salon; once the no-show is undone the next one does not', async () => {
  const { page, errors } = await openPhone();
  await press(page, 'Book a time');
  await takeTime(page, 'today');
  await page.waitForSelector('.place');
  const cid = await nameCustomer(page, 'Cid');
  await barber.rows(`update queue.session set starts_at = now() - interval '1 hour', ends_at = now() - interval '35 minutes',
    free_at = now() - interval '35 minutes'
    where id = (select session_id from queue.session_booking where customer_id = '${cid}')`);
  const board = await diary();
  await untilShown(board.page, '.diary', 'Cid');
  await clickButton(board.page, `.diary-chair .booking:has(a[href*="${cid}"])`, 'No-show');
  await until(async () => (await barber.titles(cid)).includes('You missed your booking'), { describe: 'the message about the no-show' });
  await page.reload({ waitUntil: 'load' });
  await press(page, 'Book a time');
  await takeTime(page, 'Saturday');
  await untilText(page, 'It waits for the shop to confirm it.', '.place');
  await clickButton(board.page, `.diary-chair .booking:has(a[href*="${cid}"])`, 'Undo');
  await untilShown(board.page, `.diary-chair .booking:has(a[href*="${cid}"])`, 'booked');
  const body = { store_id: store.id, service_id: cut, starts_at: (await lastTimeOf(cut)).starts_at };
  expect((await call('POST', '/queue/bookings', body, await tokenOf(cid))).booking.status).toBe('booked');
  expect([errors, board.errors]).toEqual([[], []]);
});
