import { createClient } from '@corner/client';
import { people } from '@corner/sandbox/demo';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openStoreOfBo } from '../testing/own-store.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import {
  browseConsole,
  type ConsoleInBrowser,
  clickButton,
  executable,
  fill,
  screenshots,
  untilText,
} from './testing/console-in-browser.ts';

const inBrowser = executable ? test : test.skip;
const parts = ['Our coffee', 'Our tea', 'Our cold drinks', 'Our cakes', 'Our sandwiches', 'Our breads'];
const allergens = ['milk', 'none', 'none', 'gluten, eggs, milk', 'gluten', 'gluten'];
const menu = parts.map((part) => [`${part}:`, ...Array.from({ length: 10 }, (_, n) => `${part} number ${n + 1} 3.${n}0`), ''].join('\n'));

let console: ConsoleInBrowser | undefined;
beforeAll(async () => {
  if (executable) console = await browseConsole(await sharedEnvironment('whole'));
});
afterAll(async () => {
  await console?.[Symbol.asyncDispose]();
});

inBrowser('sixty items with parts, options, allergens and VAT are set up in fewer than 120 presses and fields', async () => {
  const { environment, open } = console as ConsoleInBrowser;
  const { id } = await openStoreOfBo('coffee', environment.system);
  const claims = { typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: [id] } as const;
  const owner = createClient({ baseUrl: environment.system.gatewayUrl, token: await environment.system.tokens.token(claims) });
  const { page, errors } = await open('bo', `/shop/${id}/settings/menu`);
  let count = 0;
  const press = async (within: string, text: string) => {
    count += 1;
    await clickButton(page, within, text);
  };
  const unfold = async (ending: string) => {
    count += 1;
    const found = `[...document.querySelectorAll('summary')].find(({ textContent }) => textContent.includes(${JSON.stringify(ending)}))`;
    await page.waitForFunction(found);
    await page.evaluate(`${found}.click()`);
  };
  const write = async (name: string, text: string) => {
    count += 1;
    await fill(page, name, text);
  };
  const choose = async (name: string, option: string) => {
    count += 1;
    const field = await page.waitForSelector(`::-p-aria([name="${name}"][role="combobox"])`);
    const options = await field?.$$eval('option', (all) => all.map((each) => [each.textContent, each.getAttribute('value')]));
    await field?.select(options?.find(([shown]) => shown === option)?.[1] ?? '');
  };

  await press('#main', 'Paste a menu');
  await write('A line for each item', menu.join('\n'));
  await press('dialog', 'Put into the menu');

  await unfold('more of Our coffee number 1');
  await press('#main', 'Add an option');
  await write('Option of Our coffee number 1', 'Milk');
  for (const milk of ['Whole', 'Oat', 'Soya']) {
    await write('New choice of Milk of Our coffee number 1', milk);
    count += 1;
    await page.keyboard.press('Enter');
  }
  await write('Price of Oat of Milk of Our coffee number 1', '0.40');

  await unfold('Set something for');
  await choose('What', 'VAT in the price');
  await write('To', '20');
  await press('#main details[open]', 'Set for');
  await choose('Show the part', 'Our coffee');
  await press('#main details[open]', 'Copy them to 10 items');
  await choose('What', 'Allergens');
  for (const [index, part] of parts.entries()) {
    await choose('Show the part', part);
    await write('To', allergens[index] ?? '');
    await press('#main details[open]', 'Set for 10 items');
    await untilText(page, '.announced', 'Allergens: set for 10 items');
  }
  await page.screenshot({ path: `${screenshots}/console-sixty-items.png` });
  await press('.unsaved', 'Save');
  await untilText(page, '.announced', 'Menu saved.');

  const { items } = (await owner.GET('/api/v1/directory/stores/{store_id}/menu', { params: { path: { store_id: id } } })).data.menu;
  const set = items.filter(({ name }) => name.includes(' number '));
  expect(set.map(({ category }) => category)).toEqual(parts.flatMap((part) => Array.from({ length: 10 }, () => part)));
  expect(set.filter(({ vat_rate_bps }) => vat_rate_bps !== 2000)).toEqual([]);
  expect(set.map((item) => item.allergens?.length)).toEqual([1, 0, 0, 3, 1, 1].flatMap((of) => Array.from({ length: 10 }, () => of)));
  const options = set.flatMap(({ options: of }) =>
    of.map(({ name, choices }) => `${name}: ${choices.map(({ id: choice }) => choice).join()}`),
  );
  expect(options).toEqual(Array.from({ length: 10 }, () => options[0]));
  expect(count).toBeLessThan(120);
  expect(errors).toEqual([]);
});
