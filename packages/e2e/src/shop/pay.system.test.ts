import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { loseResponse } from '../console/testing/lose-response.ts';
import { lookAtPhone } from './testing/look-at-phone.ts';
import { beginOrder, countOrdersAndCharges, customerOf, payWith, untilOrder } from './testing/order-on-phone.ts';
import { executable, press, type ShopInBrowser, startShopInBrowser, untilText } from './testing/shop-in-browser.ts';

const inBrowser = executable ? test : test.skip;
const onceEach = { orders: 1, charges: 1 };

let running: ShopInBrowser | undefined;
beforeAll(async () => {
  if (executable) running = await startShopInBrowser();
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
});

const shop = (): ShopInBrowser => running as ShopInBrowser;

inBrowser('a declined card is explained, and another pays the same order; the order is shown with its code', async () => {
  const phone = await shop().newPhone();
  const { page, errors } = await phone.open('/s/S1');
  await beginOrder(page);
  await page.waitForSelector('.pay-cards');
  const faults = await lookAtPhone(page, 'pay');
  await payWith(page, 'Has too little money');
  await untilText(page, 'There is not enough money on this card.', '[role="alert"]');
  faults.push(...(await lookAtPhone(page, 'pay-declined')));
  await payWith(page, 'Pays at once');
  const orderId = await untilOrder(page);
  const { order } = (
    await (await customerOf(page, shop().environment)).GET('/api/v1/orders/{orderId}/mine', { params: { path: { orderId } } })
  ).data;
  await untilText(page, order.collection_code ?? '', '.order-code');
  expect(await countOrdersAndCharges(page, shop().environment)).toEqual(onceEach);
  const unexpected = errors.filter((error) => !error.includes('402'));
  expect({ faults, unexpected }).toEqual({ faults: [], unexpected: [] });
});

inBrowser(
  'a bank that asks is approved after it was closed and refused, in the middle of it also by a page that is opened again',
  async () => {
    const phone = await shop().newPhone();
    const first = await phone.open('/s/S1');
    const path = await beginOrder(first.page);
    await payWith(first.page, 'The bank asks you');
    await untilText(first.page, 'Your bank asks: is it you?', 'dialog');
    const faults = await lookAtPhone(first.page, 'pay-bank');
    await first.page.keyboard.press('Escape');
    await untilText(first.page, 'You have not finished the step at your bank.', '[role="alert"]');
    await press(first.page, 'Pay £');
    await press(first.page, 'No, it is not me');
    await untilText(first.page, 'The bank could not confirm that it is you.', '[role="alert"]');
    await press(first.page, 'Pay £');
    await untilText(first.page, 'Your bank asks: is it you?', 'dialog');
    await first.page.close();

    const { page } = await phone.open(path);
    await press(page, 'Yes, pay');
    await untilOrder(page);
    expect(await countOrdersAndCharges(page, shop().environment)).toEqual(onceEach);
    expect(faults).toEqual([]);
  },
);

inBrowser('lost replies of createOrder, of the payment and of confirmOrder lead to one order and one charge', async () => {
  const { page } = await (await shop().newPhone()).open('/s/S1');
  const created = await loseResponse(page, 'POST', /\/api\/v1\/orders$/);
  await beginOrder(page);
  await created.lost;
  await page.waitForSelector('.pay-cards');
  const paid = await loseResponse(page, 'POST', /\/payment_intents\/[^/]+\/confirm$/);
  const confirmed = await loseResponse(page, 'POST', /\/orders\/confirm$/);
  await payWith(page, 'Pays at once');
  await paid.lost;
  await confirmed.lost;
  await untilOrder(page);
  expect(await countOrdersAndCharges(page, shop().environment)).toEqual(onceEach);
});

inBrowser('a double press and the back button pay once', async () => {
  const { page } = await (await shop().newPhone()).open('/s/S1');
  await beginOrder(page);
  await press(page, 'Pays at once');
  await page.evaluate(`for (let n = 0; n < 3; n += 1) document.querySelector('[form="pay"]').click()`);
  const orderId = await untilOrder(page);
  await page.goBack();
  await page.goForward();
  expect(await untilOrder(page)).toBe(orderId);
  expect(await countOrdersAndCharges(page, shop().environment)).toEqual(onceEach);
});

inBrowser('two tabs that place and pay the same order at once both show it, paid once', async () => {
  const phone = await shop().newPhone();
  const [one, two] = [await phone.open('/s/S1'), await phone.open('/s/S1')];
  const path = await beginOrder(one.page);
  await two.page.goto(new URL(path, shop().url).href);
  for (const { page } of [one, two]) await page.waitForSelector('.pay-cards');
  await Promise.all([one, two].map(({ page }) => page.evaluate(`document.querySelector('[form="pay"]').click()`)));
  const ids = await Promise.all([one, two].map(({ page }) => untilOrder(page)));
  expect(ids[0]).toBe(ids[1]);
  expect(await countOrdersAndCharges(one.page, shop().environment)).toEqual(onceEach);
});

inBrowser('an order that costs nothing is not paid, and one whose page was closed after the payment is found paid', async () => {
  const phone = await shop().newPhone();
  const { page } = await phone.open('/s/S1');
  await beginOrder(page, { items: [{ menu_item_id: 'tap-water', quantity: 1 }] });
  await untilOrder(page);

  const path = await beginOrder(page);
  await page.waitForSelector('.pay-cards');
  await page.setRequestInterception(true);
  page.on('request', (request) => void (request.url().endsWith('/orders/confirm') ? undefined : request.continue()));
  const left = page.waitForRequest((request) => request.url().endsWith('/orders/confirm'));
  await payWith(page, 'Pays at once');
  await left;
  await page.close();
  const again = await phone.open(path);
  await untilOrder(again.page);
  expect(await countOrdersAndCharges(again.page, shop().environment)).toEqual({ orders: 2, charges: 1 });
});

inBrowser('an order that was not paid in time says so, and leads back to the basket', async () => {
  const { page } = await (await shop().newPhone()).open('/s/S1');
  await beginOrder(page);
  await page.waitForSelector('.pay-cards');
  const customer = await customerOf(page, shop().environment);
  const order = (await customer.GET('/api/v1/orders/mine')).data.orders[0];
  await makeOverdue(order?.id ?? '');
  await untilText(page, 'The time to pay is over', 'h1');
  expect(await page.$eval('.page-foot a', (link) => link.getAttribute('href'))).toBe('/s/S1/basket');
  expect(await lookAtPhone(page, 'pay-ended')).toEqual([]);
  await until(async () => (await customer.GET('/api/v1/orders/mine')).data.orders[0]?.status === 'expired', { describe: 'it has expired' });
  expect(await countOrdersAndCharges(page, shop().environment)).toEqual({ orders: 1, charges: 0 });
});

async function makeOverdue(orderId: string): Promise<void> {
  const client = new pg.Client({ connectionString: shop().environment.system.databaseUrl });
  await client.connect();
  try {
    await client.query(`update orders.orders set pay_until = now() - interval '1 minute' where id = $1`, [orderId]);
  } finally {
    await client.end();
  }
}
