import { readFileSync } from 'node:fs';
import { createClient } from '@corner/client';
import { stores } from '@corner/sandbox/demo';
import type { Message } from '@corner/sandbox/messages';
import { testFolder, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Page } from 'puppeteer-core';
import { click } from '../testing/open-browser.ts';
import { counterOf, customerIdOf, loseReply } from './testing/customers.ts';
import { lookAtPhone } from './testing/look-at-phone.ts';
import { allowPush } from './testing/push-on-phone.ts';
import { executable, press, type ShopInBrowser, startShopInBrowser, untilText } from './testing/shop-in-browser.ts';

const inBrowser = executable ? test : test.skip;
const coffee = `/s/${stores.coffee.code}`;
const cuts = `/s/${stores.cuts.code}`;

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

async function introduce(page: Page, name: string): Promise<void> {
  await (await page.waitForSelector('input[autocomplete="name"]'))?.type(name);
  await press(page, 'Save');
  await untilText(page, 'Saved.');
}

inBrowser('a tap becomes one stamp: the address is cleared, and a reload, a second tab and another person get no other', async () => {
  const phone = await shop().newPhone();
  const address = counter.tapped();
  const { page, errors, foreign } = await phone.open(address);
  await untilText(page, 'Stamp collected', 'h1');
  await untilText(page, '1 of 5', '.stamp-card');
  expect(page.url()).toBe(`${shop().url}/t`);
  await untilText(page, 'May Corner Coffee send you news and offers?');
  expect(await lookAtPhone(page, 'tap')).toEqual([]);
  await page.reload({ waitUntil: 'load' });
  await untilText(page, '1 of 5', '.stamp-card');
  const tab = await phone.open(address);
  await untilText(tab.page, '1 of 5', '.stamp-card');
  expect(await counter.stampsOf(await customerIdOf(page))).toBe(1);

  const other = await (await shop().newPhone()).open(address);
  await untilText(other.page, 'This tap has been counted.');
  expect(await lookAtPhone(other.page, 'tap-refused')).toEqual([]);

  await page.goto(counter.tapped(), { waitUntil: 'load' });
  await untilText(page, 'That was too soon', 'h1');
  expect(await counter.stampsOf(await customerIdOf(page))).toBe(1);
  expect([errors, foreign]).toEqual([[], []]);
});

inBrowser(
  'the last stamp of a card, whose reply is lost, is collected once and earns the reward, whose pass can be added to a wallet',
  async () => {
    const { page } = await (await shop().newPhone()).open(`${coffee}/me`);
    await introduce(page, 'Ida');
    await counter.grantStamps(await customerIdOf(page), 4);
    const sent = await loseReply(page, '/api/v1/loyalty/stamp-codes/redeem');
    await page.goto(counter.tapped(), { waitUntil: 'load' });
    await untilText(page, 'Your reward is ready', 'h1');
    expect(sent()).toBe(2);
    await untilText(page, '5 of 5', '.stamp-card');
    const code = await page.waitForSelector('.voucher-code');
    expect(await code?.evaluate(({ textContent }) => textContent)).toMatch(/^[0-9A-Z]{10}$/);
    expect(await lookAtPhone(page, 'tap-reward')).toEqual([]);

    await press(page, 'See your card');
    await untilText(page, '0 of 5', '.stamp-card');
    await untilText(page, 'Stamp from the counter');
    const history = await page.$$eval('section:last-of-type .row-title', (titles) => titles.map(({ textContent }) => textContent));
    expect(history).toEqual([
      'Reward earned: A coffee on us',
      'Stamp for a tap',
      ...Array.from({ length: 4 }, () => 'Stamp from the counter'),
    ]);
    await page.waitForSelector('main a.button[href]');
    expect(await lookAtPhone(page, 'card')).toEqual([]);
    const links = await page.$$eval('main a.button', (all) => all.map(({ href }) => href));
    const apple = new URL(links.find((link) => !link.includes('google')) ?? '');
    const pass = await fetch(`${shop().environment.system.gatewayUrl}${apple.pathname}${apple.search}`);
    expect([pass.status, pass.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.pkpass']);
  },
);

inBrowser('a code that the shop shows is typed in, and waits for the shop; without a connection the last card is shown', async () => {
  const { page } = await (await shop().newPhone()).open(`${coffee}/card`);
  await untilText(page, 'You have no stamps here yet.');
  expect(await lookAtPhone(page, 'card-none')).toEqual([]);
  const { data } = await counter.owner.POST('/api/v1/loyalty/stamp-codes', { body: { store_id: stores.coffee.id } });
  await page.type('main input', data.code.toLowerCase());
  await page.keyboard.press('Enter');
  await untilText(page, 'A stamp waits for the shop’s approval.');
  await untilText(page, 'Stamp for a code');
  await click(page, 'nav a[href$="/me"]');
  await untilText(page, 'Me', 'h1');
  await page.setOfflineMode(true);
  await press(page, 'Card');
  await untilText(page, 'No connection. This is what was here last.', '.notice');
  await untilText(page, '0 of 5', '.stamp-card');
  await page.setOfflineMode(false);
});

inBrowser(
  'a walk-in joins by the keyboard, is called over the whole screen, by a text and by a push, is seated, and has a stamp for the visit',
  async () => {
    const phone = await shop().newPhone();
    const { page, errors } = await phone.open(`${cuts}/queue`);
    await untilText(page, 'No one is waiting.');
    expect(await lookAtPhone(page, 'queue')).toEqual([]);
    const tabTo = async (selector: string) => {
      for (let tab = 0; tab < 30 && !(await page.$(`${selector}:focus`)); tab += 1) await page.keyboard.press('Tab');
    };
    await page.focus('h1');
    await tabTo('input[name="service"]');
    await page.keyboard.press('ArrowDown');
    await tabTo('input[autocomplete="given-name"]');
    await page.keyboard.type('Dee');
    await tabTo('input[type="tel"]');
    await page.keyboard.type('07700 900123');
    await page.keyboard.press('Enter');
    await untilText(page, 'begins with +', '.field-error');
    await page.$eval('input[type="tel"]', (input) => input.select());
    await page.keyboard.type('+44 7700 900123');
    await page.keyboard.press('Enter');
    await untilText(page, 'You are next', '.place');
    expect(await lookAtPhone(page, 'queue-waiting')).toEqual([]);

    const tab = await phone.open(`${cuts}/queue`);
    await untilText(tab.page, 'You are next', '.place');
    await tab.page.close();
    const [entry, ...more] = await until(
      async () => {
        const entries = await counter.queue();
        return entries.some(({ customer_name: name }) => name === 'Dee') && entries;
      },
      { describe: 'the name at the shop' },
    );
    expect(more).toEqual([]);
    expect(page.url()).toBe(`${shop().url}${cuts}/queue`);
    const entryId = entry?.entry_id ?? '';
    await counter.moveEntry(entryId, 'call');
    await untilText(page, 'It’s your turn', '.called');
    expect(await lookAtPhone(page, 'queue-called')).toEqual([]);
    const texts = async () =>
      (await (await fetch(`${shop().environment.system.messagesUrl}/inbox.json?to=%2B447700900123`)).json()) as Message[];
    await until(async () => (await texts()).length === 1, { describe: 'the text of the call' });
    await counter.moveEntry(entryId, 'recall');
    await untilText(page, 'You are next', '.place');
    await click(page, 'nav a[href$="/me"]');
    const push = await allowPush(page, shop().environment);
    await page.reload({ waitUntil: 'load' });
    await press(page, 'Notifications on this phone');
    await page.waitForFunction(`localStorage.getItem('corner.push-device') !== null`);
    expect(await lookAtPhone(page, 'me-push')).toEqual([]);
    await press(page, 'Queue');
    await counter.moveEntry(entryId, 'call');
    await untilText(page, 'It’s your turn', '.called');
    const called = await until(async () => (await push.pushes()).at(-1), { describe: 'the push of the call' });
    expect(await push.deliver(called)).toEqual([called.title]);
    await counter.moveEntry(entryId, 'assign');
    await untilText(page, 'Have a seat', '.place');
    expect(await page.$('.called')).toBeNull();
    await counter.moveEntry(entryId, 'complete');
    await untilText(page, 'Thank you for your visit', '.place');
    expect(await lookAtPhone(page, 'queue-ended')).toEqual([]);
    await press(page, 'Back to the queue');
    await untilText(page, 'Your name');
    await press(page, 'Card');
    await untilText(page, 'Stamp for a visit');
    expect(errors).toEqual([]);
  },
);

inBrowser('a phone says that no one was moved before it unseen, and at its next look names the row when someone was, by SQL', async () => {
  const { page } = await (await shop().newPhone()).open(`${cuts}/queue`);
  await page.waitForSelector('.join');
  await page.type('input[autocomplete="given-name"]', 'Flo');
  await press(page, 'Join the queue');
  await untilText(page, 'No one was moved before you unseen: checked at');
  const looks: string[] = [];
  page.on('request', (request) => void (request.url().includes('/queue/chain') && looks.push(request.url())));
  const guest = createClient({ baseUrl: shop().environment.system.gatewayUrl });
  const { data: gil } = await guest.POST('/api/v1/queue/join', { body: { store_id: stores.cuts.id, guest_name: 'Gil' } });
  await until(() => looks.length > 0, { describe: 'the look at the new row' });
  const after = Number(new URL(looks[0] ?? '').searchParams.get('after'));

  const database = new pg.Client({ connectionString: shop().environment.system.databaseUrl });
  await database.connect();
  await database.query('set session_replication_role = replica');
  await database.query(`update queue.entry set joined_at = joined_at - interval '1 hour' where guest_name = 'Gil'`);
  await page.reload({ waitUntil: 'load' });
  await untilText(page, `It does not fit row ${after + 1} of its recorded changes.`, '.notice.warning');
  await untilText(page, 'By the order of joining you are number 1; the queue shows number 2.', '.notice.warning');
  expect([looks.length, await lookAtPhone(page, 'queue-unseen')]).toEqual([2, []]);
  await database.query(`update queue.entry set joined_at = joined_at + interval '1 hour' where guest_name = 'Gil'`);
  await database.end();
  await page.reload({ waitUntil: 'load' });
  await untilText(page, 'No one was moved before you unseen: checked at');
  await guest.POST('/api/v1/queue/leave', { body: { entry_id: gil.entry_id } });
  await press(page, 'Leave the queue');
  await click(page, 'dialog .button.danger');
  await untilText(page, 'You have left the queue', '.place');
});

inBrowser('a walk-in who leaves can join again', async () => {
  const { page } = await (await shop().newPhone()).open(`${cuts}/queue`);
  await page.waitForSelector('.join');
  await page.type('input[autocomplete="given-name"]', 'Eli');
  await press(page, 'Join the queue');
  await untilText(page, 'You are next', '.place');
  await press(page, 'Leave the queue');
  await untilText(page, 'Your place goes to the next one.', 'dialog');
  await click(page, 'dialog .button.danger');
  await untilText(page, 'You have left the queue', '.place');
  await press(page, 'Back to the queue');
  await page.waitForSelector('.join');
});

inBrowser('a field keeps the focus that it is given as soon as it is there, and so every letter that is typed into it', async () => {
  const { page } = await (await shop().newPhone()).open(`${coffee}/me`);
  const field = 'input[autocomplete="name"]';
  await page.evaluateOnNewDocument(`
    new MutationObserver((_, observer) => {
      const field = document.querySelector('${field}');
      if (field) observer.disconnect();
      field?.focus();
    }).observe(document, { childList: true, subtree: true });`);
  await page.reload({ waitUntil: 'load' });
  await page.waitForSelector(field);
  await page.evaluate('new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))');
  expect(await page.$eval(field, (input) => input.matches(':focus'))).toBe(true);
});

inBrowser('messages and profile change and stay; the phone forgets its customer', async () => {
  const { page, errors } = await (await shop().newPhone()).open(`${coffee}/me`);
  await introduce(page, 'Noé');
  const checked = () => page.$$eval('.choices input[type="checkbox"]', (all) => all.map((box) => box.checked));
  await page.waitForSelector('.choices input[type="checkbox"]');
  expect(await checked()).toEqual([true, true, true, true, true, true, false, false]);
  await press(page, 'About stamps');
  await press(page, 'News and offers');
  const { tokens, gatewayUrl } = shop().environment.system;
  const token = await tokens.token({ typ: 'customer', sub: await customerIdOf(page), scope: 'customer:read' });
  const consent = async () => {
    const reply = await fetch(`${gatewayUrl}/api/v1/notifications/preferences`, { headers: { authorization: `Bearer ${token}` } });
    return ((await reply.json()) as { readonly preferences: readonly { readonly marketingEnabled: boolean }[] }).preferences[0];
  };
  await until(async () => (await consent())?.marketingEnabled, { describe: 'the consent' });
  await page.reload({ waitUntil: 'load' });
  await page.waitForFunction(`document.querySelector('input[autocomplete="name"]')?.value === 'Noé'`);
  await page.waitForFunction(`!document.querySelector('.choices input[type="checkbox"]')?.checked`);
  expect(await checked()).toEqual([false, true, true, true, true, true, false, true]);
  const beside = 'News and offers. The shop may write to you about more than what you ordered.';
  await page.waitForFunction(`/You said yes on .* to: “${beside}/.test(document.body.textContent)`);
  expect(await lookAtPhone(page, 'me')).toEqual([]);

  await press(page, 'Forget me on this phone');
  await untilText(page, 'Without an account', 'dialog');
  await click(page, 'dialog .button.danger');
  await untilText(page, 'This phone has forgotten you.');
  const ofCustomers = (names: readonly string[]) => names.filter((name) => !/^corner\.(?:store|reads|read\..*\/stores\b.*)$/.test(name));
  expect(ofCustomers(await page.evaluate(() => Object.keys(localStorage)))).toEqual([]);
  expect(errors).toEqual([]);
});

inBrowser('a customer downloads everything about them, has it erased, and gets the address of its certificate', async () => {
  await using folder = await testFolder();
  const { page, errors } = await (await shop().newPhone()).open(`${coffee}/me`);
  await introduce(page, 'Zoé');
  await untilText(page, 'Everything about me');
  expect(await lookAtPhone(page, 'my-data')).toEqual([]);
  const session = await page.createCDPSession();
  await session.send('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: folder.path });
  const downloaded = (name: string) => until(() => readFileSync(`${folder.path}/${name}`, 'utf8'), { describe: `the download of ${name}` });
  await press(page, 'Download it');
  expect(JSON.parse(await downloaded('my-data.json')).customer_id).toBe(await customerIdOf(page));
  await press(page, 'Download it to print');
  expect(await downloaded('my-data.html')).toContain('Zoé');
  await press(page, 'Erase me everywhere');
  await untilText(page, 'It cannot be undone', 'dialog');
  await click(page, 'dialog .button.danger');
  await untilText(page, 'Everything that names you is being erased.');
  const address = await page.$eval('a[href*="/erasures/"]', (link) => link.getAttribute('href') ?? '');
  const certificate = (await (await fetch(`${shop().url}${address}`)).json()) as {
    certificate: { requested_by: string };
  };
  expect(certificate.certificate.requested_by).toBe('customer');
  expect(errors).toEqual([]);
});

inBrowser('the pages speak French', async () => {
  const { page } = await (await shop().newPhone('fr')).open(counter.tapped());
  await untilText(page, 'Tampon obtenu', 'h1');
  expect(await page.$eval('html', ({ lang }) => lang)).toBe('fr');
  expect(await lookAtPhone(page, 'tap-french')).toEqual([]);
  for (const [path, text] of [
    [`${coffee}/card`, 'Tampon pour un badge'],
    [`${cuts}/queue`, 'Rejoindre la file'],
    [`${coffee}/me`, 'Messages de Corner Coffee'],
  ] as const) {
    await page.goto(`${shop().url}${path}`, { waitUntil: 'load' });
    await untilText(page, text);
    expect(await lookAtPhone(page, `french${path.replaceAll('/', '-')}`)).toEqual([]);
  }
  await press(page, 'English');
  await untilText(page, 'My data');
});
