import { createClient } from '@corner/client';
import { stores, tags } from '@corner/sandbox/demo';
import { messagesFolderIn } from '@corner/sandbox/system';
import { openTags } from '@corner/sandbox/tags';
import { expect } from '@jest/globals';
import { click } from '../../testing/open-browser.ts';
import { type ConsoleInBrowser, untilText } from './console-in-browser.ts';

const control = 'form:has([id$="-reading"])';

export async function tapTag(console: ConsoleInBrowser): Promise<void> {
  const { system, folder } = console.environment;
  const { page } = await console.open('bo', '/sandbox');
  const press = async (reading: string) => {
    await page.select(`${control} select[id$="-reading"]`, reading);
    await click(page, `${control} button[type="submit"]`);
  };
  await page.waitForSelector(`${control} select[id$="-store"]`);
  await page.select(`${control} select[id$="-store"]`, stores.coffee.id);
  await press('a new tap');
  await untilText(page, control, 'The phone got the code');
  await press('the last tap again');
  await untilText(page, `${control} [role="alert"]`, 'NFC_TAP_REPLAYED');
  const reading = openTags(messagesFolderIn(folder), {}).tap(tags[0].uid);
  const guest = createClient({ baseUrl: system.gatewayUrl });
  const { data } = await guest.POST('/api/v1/loyalty/stamp-codes', { body: { store_id: stores.coffee.id, ...reading } });
  expect(data.presence_verified).toBe(true);
  await press('a new tap');
  await untilText(page, control, 'The phone got the code');
}
