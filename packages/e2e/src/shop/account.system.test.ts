import { randomUUID } from 'node:crypto';
import { stores } from '@corner/sandbox/demo';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { counterOf, customerIdOf } from './testing/customers.ts';
import { lookAtPhone } from './testing/look-at-phone.ts';
import { executable, press, type ShopInBrowser, startShopInBrowser, untilText } from './testing/shop-in-browser.ts';

const inBrowser = executable ? test : test.skip;
const me = `/s/${stores.coffee.code}/me`;

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

async function guestWithStamp() {
  const watched = await (await shop().newPhone()).open(counter.tapped());
  await untilText(watched.page, 'Stamp collected', 'h1');
  await watched.page.goto(`${shop().url}${me}`);
  return watched;
}

async function signIn(page: Page, email: string): Promise<void> {
  await press(page, 'Sign in');
  await page.waitForSelector('input[name="email"]');
  await page.type('input[name="name"]', 'Ines');
  await page.type('input[name="email"]', email);
  await Promise.all([page.waitForNavigation(), page.$eval('input[name="email"]', (input) => input.form?.requestSubmit())]);
}

inBrowser(
  'a guest who signs in keeps card and customer, on another phone too; the back button repeats nothing; signing out ends it',
  async () => {
    const { page, errors } = await guestWithStamp();
    const guest = await customerIdOf(page);
    const email = `${randomUUID()}@example.com`;
    await signIn(page, email);
    await untilText(page, 'You are signed in as Ines.');
    expect(await lookAtPhone(page, 'me-account')).toEqual([]);
    expect([await customerIdOf(page), new URL(page.url()).pathname]).toEqual([guest, me]);
    await press(page, 'Card');
    await untilText(page, '1 of 5', '.stamp-card');
    await page.goto(`${shop().url}/signed-in?code=used&state=of-before`);
    await untilText(page, 'You are not signed in', 'h1');
    expect(await lookAtPhone(page, 'not-signed-in')).toEqual([]);
    await press(page, 'Go on');
    await untilText(page, 'You are signed in as Ines.');

    const other = await guestWithStamp();
    const otherGuest = await customerIdOf(other.page);
    await signIn(other.page, email);
    await untilText(other.page, 'Your account had a card of its own');
    expect(await customerIdOf(other.page)).toBe(guest);
    expect(guest).not.toBe(otherGuest);
    await press(other.page, 'Go on');
    await press(other.page, 'Sign out');
    await untilText(other.page, 'With an account your stamps');
    expect(await customerIdOf(other.page)).toBe('');
    expect([errors, other.errors]).toEqual([[], []]);
  },
);

inBrowser('a sign-in that the customer leaves, that the provider refuses or whose state is another’s leaves the guest', async () => {
  const { page } = await guestWithStamp();
  const guest = await customerIdOf(page);
  await press(page, 'Sign in');
  await page.waitForSelector('input[name="email"]');
  const { searchParams } = new URL(page.url());
  await page.goBack();
  await untilText(page, 'With an account your stamps');
  await page.goto(`${shop().url}/signed-in?error=access_denied&state=${searchParams.get('state')}&iss=${shop().environment.system.issuer}`);
  await untilText(page, 'You are not signed in', 'h1');
  expect(page.url()).toBe(`${shop().url}/signed-in`);
  await press(page, 'Go on');
  await press(page, 'Sign in');
  await page.waitForSelector('input[name="email"]');
  await page.goto(`${shop().url}/signed-in?code=stolen&state=another`);
  await untilText(page, 'You are not signed in', 'h1');
  expect(await customerIdOf(page)).toBe(guest);
  await press(page, 'Go on');
  await press(page, 'Card');
  await untilText(page, '1 of 5', '.stamp-card');
});
