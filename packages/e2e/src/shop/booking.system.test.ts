import { stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { click } from '../testing/open-browser.ts';
import { onDatabase } from '../testing/settled.ts';
import { counterOf, loseReply } from './testing/customers.ts';
import { lookAtPhone } from './testing/look-at-phone.ts';
import { customerOf, payWith, untilOrder } from './testing/order-on-phone.ts';
import { executable, press, type ShopInBrowser, startShopInBrowser, untilText } from './testing/shop-in-browser.ts';

const inBrowser = executable ? test : test.skip;
const salon = `/s/${stores.cuts.code}/queue`;

let started: ShopInBrowser | undefined;
let counter: Awaited<ReturnType<typeof counterOf>>;
beforeAll(async () => {
  if (!executable) return;
  started = await startShopInBrowser();
  counter = await counterOf(started.environment, started.url);
});
afterAll(async () => {
  await started?.[Symbol.asyncDispose]();
});
const shop = (): ShopInBrowser => started as ShopInBrowser;

async function appointments(): Promise<readonly { readonly starts_at: string; readonly status: string }[]> {
  const found = [];
  for (let ahead = 1; ahead <= 15; ahead += 1) {
    const day = new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    const params = { path: { store_id: stores.cuts.id }, query: { day } };
    const { sessions } = (await counter.owner.GET('/api/v1/queue/stores/{store_id}/bookings', { params })).data;
    const own = sessions.filter(({ source }) => source === 'own');
    found.push(...own.flatMap(({ starts_at, bookings }) => bookings.map(({ status }) => ({ starts_at, status }))));
  }
  return found;
}

/**
 * Chooses the last day with free times, and presses one of its last times, counted from the end: far enough ahead for the salon's notice at
 * any time of day. Returns the text of the time.
 */
async function takeTime(page: Page, fromEnd: 1 | 2): Promise<string> {
  await page.waitForSelector('.booking-times button');
  await page.evaluate(`(() => {
    const days = [...document.querySelectorAll('fieldset')].find((set) => set.querySelector('legend')?.textContent === 'Which day?');
    [...(days?.querySelectorAll('input') ?? [])].at(-1)?.click();
  })()`);
  const button = `.booking-times button:nth-last-of-type(${fromEnd})`;
  const time = await page.$eval(button, (found) => found.textContent ?? '');
  await click(page, button);
  return time;
}

inBrowser('a customer books a time, moves it and cancels it, and the salon sees each', async () => {
  const { page, errors, foreign } = await (await shop().newPhone()).open(salon);
  await press(page, 'Book a time');
  await page.waitForSelector('.booking-times button');
  expect(await lookAtPhone(page, 'booking-times')).toEqual([]);
  const first = await takeTime(page, 1);
  await untilText(page, first, '.place h3');
  expect(await lookAtPhone(page, 'booking')).toEqual([]);
  const [booked, ...others] = await appointments();
  expect([booked?.status, others]).toEqual(['booked', []]);

  await press(page, 'Another time');
  const second = await takeTime(page, 2);
  await untilText(page, second, '.place h3');
  await page.waitForFunction(`!document.querySelector('.booking-times')`);
  const [moved, ...more] = await appointments();
  expect([moved?.status, more]).toEqual(['booked', []]);
  expect(Date.parse(moved?.starts_at ?? '')).toBeLessThan(Date.parse(booked?.starts_at ?? ''));

  await press(page, 'Cancel the booking');
  await untilText(page, 'The time is free for someone else then.', 'dialog');
  expect(await lookAtPhone(page, 'booking-cancel')).toEqual([]);
  await click(page, 'dialog .button.danger');
  await page.waitForFunction(`!document.querySelector('.place')`);
  expect((await appointments()).filter(({ status }) => status === 'booked')).toEqual([]);
  expect([errors, foreign]).toEqual([[], []]);
});

inBrowser('a booking whose reply is lost is made once, and shown', async () => {
  const { page } = await (await shop().newPhone()).open(salon);
  const posts = await loseReply(page, '/api/v1/queue/bookings');
  await press(page, 'Book a time');
  await takeTime(page, 1);
  await page.waitForSelector('.place h3');
  await until(async () => posts() > 0, { describe: 'the booking to be sent' });
  expect((await appointments()).filter(({ status }) => status === 'booked')).toHaveLength(1);
});

inBrowser('a booking with a deposit is paid on the phone, and the deposit comes back when the booking is cancelled', async () => {
  const { environment } = shop();
  const setDeposit = (itemId: string | null) =>
    onDatabase(environment, async (client) => {
      await client.query('update queue.store set booking_deposit_item_id = $2 where id = $1', [stores.cuts.id, itemId]);
    });
  await setDeposit('beard-oil');
  try {
    const { page, errors } = await (await shop().newPhone()).open(salon);
    await press(page, 'Book a time');
    await takeTime(page, 1);
    await untilText(page, 'The time is yours once the deposit is paid, until', '.place');
    expect(await lookAtPhone(page, 'booking-deposit')).toEqual([]);
    await press(page, 'Pay the deposit: £12.00');
    await page.waitForSelector('.pay-cards');
    await payWith(page, 'Pays at once');
    const orderId = await untilOrder(page);
    const customer = await customerOf(page, environment);
    const statusOf = async () => (await customer.GET('/api/v1/orders/{orderId}/mine', { params: { path: { orderId } } })).data.order.status;
    expect(await statusOf()).toBe('paid');

    await page.goto(shop().url + salon);
    await untilText(page, 'The deposit is paid.', '.place');
    await press(page, 'Cancel the booking');
    await untilText(page, 'your deposit is refunded', 'dialog');
    await click(page, 'dialog .button.danger');
    await until(async () => (await statusOf()) === 'refunded', { describe: 'the refund of the deposit' });
    expect(errors).toEqual([]);
  } finally {
    await setDeposit(null);
  }
});
