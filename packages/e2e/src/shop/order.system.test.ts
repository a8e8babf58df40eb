import { stores } from '@corner/sandbox/demo';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { handOn } from '../console/testing/hand.ts';
import { click } from '../testing/open-browser.ts';
import { lookAtPhone } from './testing/look-at-phone.ts';
import { beginOrder, countOrdersAndCharges, customerOf, orderOne, payWith, staffOf, untilOrder } from './testing/order-on-phone.ts';
import { executable, type Phone, press, type ShopInBrowser, startShopInBrowser, untilText } from './testing/shop-in-browser.ts';

const inBrowser = executable ? test : test.skip;

let running: ShopInBrowser | undefined;
let staff: Awaited<ReturnType<typeof staffOf>>;
beforeAll(async () => {
  if (!executable) return;
  running = await startShopInBrowser();
  staff = await staffOf(running.environment);
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
});

const shop = (): ShopInBrowser => running as ShopInBrowser;

async function paidOrder(phone: Phone, order?: Parameters<typeof beginOrder>[1]) {
  const { page, errors } = await phone.open('/s/S1');
  await beginOrder(page, order);
  await page.waitForSelector('.pay-cards');
  await click(page, '[form="pay"]');
  return { page, errors, orderId: await untilOrder(page) };
}

const untilState = (page: Page, state: string) =>
  untilText(page, state, 'h1').catch(async () => {
    throw new Error(`the page says: ${await page.$eval('main', (main) => main.innerText)}`);
  });

inBrowser(
  'a guest at a table orders a drink with an option, pays after a decline, closes the page, finds the order by the bar of the menu, sees how it is brought, also after the connection was lost, and orders again',
  async () => {
    const phone = await shop().newPhone();
    const { page, errors } = await phone.open('/s/S1?table=7');
    await page.waitForSelector('.menu-item');
    await orderOne(page, 'Flat white', 'Oat milk');
    await press(page, 'Order for £');
    await payWith(page, 'Is declined');
    await untilText(page, 'Your bank has declined this card.', '[role="alert"]');
    await payWith(page, 'Pays at once');
    const orderId = await untilOrder(page);
    await untilState(page, 'Being made for table 7');
    await page.close();

    const again = await phone.open('/s/S1');
    await untilText(again.page, 'Your order: Being made for table 7', '.running');
    const barFaults = await lookAtPhone(again.page, 'order-bar');
    await click(again.page, '.running');
    await untilState(again.page, 'Being made for table 7');
    expect(await again.page.$('.running')).toBeNull();
    await untilText(again.page, 'Oat milk', '.bill');
    const params = { path: { orderId } };
    const set = (status: 'ready' | 'fulfilled') =>
      staff.client.PATCH('/api/v1/orders/{orderId}/status', { params, body: { store_id: stores.coffee.id, status } });
    await set('ready');
    await untilState(again.page, 'On its way to table 7');
    const faults = [...barFaults, ...(await lookAtPhone(again.page, 'order-table'))];
    await again.page.setOfflineMode(true);
    await untilText(again.page, 'No connection.', '.notice');
    await set('fulfilled');
    await again.page.setOfflineMode(false);
    await untilState(again.page, 'Served. Enjoy!');
    await press(again.page, 'Order again');
    await untilText(again.page, 'Oat milk', '.basket-line');
    expect(await again.page.$$('.basket-line')).toHaveLength(1);
    expect(await countOrdersAndCharges(again.page, shop().environment)).toEqual({ orders: 1, charges: 1 });
    const unexpected = [...errors, ...again.errors].filter((error) => !/402|ERR_INTERNET_DISCONNECTED/.test(error));
    expect({ faults, unexpected }).toEqual({ faults: [], unexpected: [] });
  },
);

inBrowser('an order is followed until it is collected, with its delay, its stamp and its receipt', async () => {
  const { page, orderId, errors } = await paidOrder(await shop().newPhone());
  await untilState(page, 'The shop has your order');
  await untilText(page, 'You have earned a stamp', '.notice');
  const faults = await lookAtPhone(page, 'order-accepted');
  await press(page, 'No, thank you');
  await page.waitForFunction(`!document.body.textContent.includes('send you news and offers')`);
  await staff.advance(orderId, 'preparing');
  await untilState(page, 'Being prepared');
  const late = { store_id: stores.coffee.id, delayMinutes: 30 };
  await staff.client.POST('/api/v1/orders/{orderId}/notify-delay', { params: { path: { orderId } }, body: late });
  await untilText(page, 'It takes longer', '.order-hint');
  faults.push(...(await lookAtPhone(page, 'order-delayed')));
  await staff.advance(orderId, 'ready');
  await untilState(page, 'Ready to collect');
  await untilText(page, 'Ready', '.progress [aria-current]');
  faults.push(...(await lookAtPhone(page, 'order-ready')));
  const receipt = await page.$eval('a[href*="/receipts/"]', (link) => link.getAttribute('href') ?? '');
  expect(await (await fetch(receipt)).text()).toContain('2 × Flat white (Oat milk, Extra shot)');
  await staff.advance(orderId, 'collected');
  await untilState(page, 'Collected. Enjoy!');
  expect(await page.$('.order-code')).toBeNull();
  const sell = (sold_out: 'until_changed' | 'no') =>
    staff.client.PATCH('/api/v1/orders/stores/{store_id}/menu/{menu_item_id}', {
      params: { path: { store_id: stores.coffee.id, menu_item_id: 'croissant' } },
      body: { sold_out },
    });
  await sell('until_changed');
  await press(page, 'Order again');
  await untilText(page, 'Croissant', 'dialog');
  await sell('no');
  faults.push(...(await lookAtPhone(page, 'order-again')));
  await press(page, 'To the basket');
  await untilText(page, 'Extra shot', '.basket-line');
  expect(await page.$$('.basket-line')).toHaveLength(1);
  await page.goBack();
  await press(page, 'All your orders');
  await untilText(page, '2 × Flat white, Croissant', '.row');
  faults.push(...(await lookAtPhone(page, 'orders')));
  expect({ faults, errors }).toEqual({ faults: [], errors: [] });
});

inBrowser('an order for a table says so; it is cancelled before it is prepared, and the money goes back', async () => {
  const { page } = await paidOrder(await shop().newPhone(), {
    items: [{ menu_item_id: 'espresso', quantity: 1 }],
    fulfilment: { mode: 'table', table_number: '4' },
    order_type: 'buy_now',
  });
  await untilState(page, 'Being made for table 4');
  await press(page, 'Cancel the order');
  await untilText(page, 'All that you paid, £2.40, goes back to your card.', 'dialog');
  expect(await lookAtPhone(page, 'order-cancel')).toEqual([]);
  await press(page, 'Yes, cancel it');
  await untilText(page, '£2.40 goes back to your card.', '.notice');
  await untilText(page, 'You cancelled it.');
  await click(page, 'details > summary');
  await untilText(page, 'refunded', 'details p');
});

inBrowser('an order for a later slot is collected earlier once it is ready', async () => {
  const { page } = await (await shop().newPhone()).open('/s/S1');
  const path = { store_id: stores.coffee.id };
  const { slots } = (await staff.client.GET('/api/v1/orders/stores/{store_id}/slots', { params: { path } })).data;
  const [earlier, booked] = [slots.at(-2), slots.at(-1)];
  await beginOrder(page, { items: [{ menu_item_id: 'filter', quantity: 1 }], collection_mode: 'scheduled', slot_id: booked?.id ?? '' });
  await page.waitForSelector('.pay-cards');
  await click(page, '[form="pay"]');
  const orderId = await untilOrder(page);
  await staff.advance(orderId, 'preparing', 'ready');
  await untilState(page, 'Ready to collect');
  await press(page, 'Collect it earlier');
  await page.waitForSelector('dialog .row-press');
  expect(await lookAtPhone(page, 'order-earlier')).toEqual([]);
  await page.evaluate(`[...document.querySelectorAll('dialog .row-press')].at(-1).click()`);
  await page.waitForFunction(`!document.querySelector('dialog')`);
  const { order } = (
    await (await customerOf(page, shop().environment)).GET('/api/v1/orders/{orderId}/mine', { params: { path: { orderId } } })
  ).data;
  expect(order.requested_collection_at).toBe(earlier?.starts_at);
});

inBrowser('in French, with the keyboard alone: paid after the bank has asked, and cancelled', async () => {
  const { page } = await (await shop().newPhone('fr')).open('/s/S1');
  await beginOrder(page);
  const hand = handOn(page);
  await page.waitForSelector('.pay-cards');
  await page.waitForFunction(`document.activeElement?.matches('h1')`);
  await page.keyboard.press('Tab');
  for (let down = 0; down < 3; down += 1) await page.keyboard.press('ArrowDown');
  const faults = await lookAtPhone(page, 'pay-french');
  await hand.press('Payer');
  await untilText(page, 'Votre banque demande : est-ce vous ?', 'dialog');
  await hand.press('Oui, payer');
  await untilOrder(page);
  await untilState(page, 'La boutique a votre commande');
  faults.push(...(await lookAtPhone(page, 'order-french')));
  await hand.press('Annuler la commande');
  await hand.press('Oui, l’annuler');
  await untilText(page, 'Vous l’avez annulée.');
  expect(faults).toEqual([]);
});

inBrowser('an order of another phone is not shown, and an unpaid one leads back to its payment', async () => {
  const { page, orderId } = await paidOrder(await shop().newPhone(), { items: [{ menu_item_id: 'espresso', quantity: 1 }] });
  void page;
  const other = await shop().newPhone();
  const { page: stranger } = await other.open(`/orders/${orderId}`);
  await untilState(stranger, 'This order is of another phone');
  await beginOrder(stranger, { items: [{ menu_item_id: 'espresso', quantity: 1 }] });
  await stranger.waitForSelector('.pay-cards');
  const own = (await (await customerOf(stranger, shop().environment)).GET('/api/v1/orders/mine')).data.orders[0]?.id;
  await stranger.goto(`${shop().url}/orders/${own}`);
  await untilState(stranger, 'Not paid yet');
  await press(stranger, 'Go on paying');
  await payWith(stranger, 'Pays at once');
  expect(await untilOrder(stranger)).toBe(own);
});
