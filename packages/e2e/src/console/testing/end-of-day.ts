import type { CornerClient } from '@corner/client';
import { stores } from '@corner/sandbox/demo';
import type { Books } from '@corner/simulation';
import type { Page } from 'puppeteer-core';

const store_id = stores.coffee.id;

interface Logged {
  readonly title: string;
  readonly by: string | null | undefined;
}

const timeOfDay = /(?: until|: expected at) .*$/;

/** Returns the oldest first, without times of day. `rows` are newest first. */
const sentencesOf = (rows: readonly Logged[]): string[] =>
  rows.map(({ title, by }) => `${title.replace(timeOfDay, '')}${by ? ` by ${by}` : ''}`).toReversed();

export async function orderLog(owner: CornerClient, orderId: string): Promise<string[]> {
  const params = { path: { orderId }, query: { store_id } };
  const { data } = await owner.GET('/api/v1/orders/{orderId}/log', { params });
  return sentencesOf(data.entries.map(({ title, actor }) => ({ title, by: actor })));
}

export async function storeLogs(owner: CornerClient): Promise<Readonly<Record<'menu' | 'cards' | 'queue', string[]>>> {
  const [menu, cards, queue] = await Promise.all([
    owner.GET('/api/v1/orders/stores/{store_id}/log', { params: { path: { store_id } } }),
    owner.GET('/api/v1/loyalty/log', { params: { query: { store_id } } }),
    owner.GET('/api/v1/queue/log', { params: { query: { store_id: stores.cuts.id } } }),
  ]);
  const named = (rows: readonly { readonly title: string; readonly by: { readonly name: string | null } | null }[]) =>
    sentencesOf(rows.map(({ title, by }) => ({ title, by: by?.name })));
  return { menu: named(menu.data.entries), cards: named(cards.data.entries), queue: named(queue.data.entries) };
}

export async function unitsLeft(owner: CornerClient, itemId: string): Promise<number | null | undefined> {
  const { data } = await owner.GET('/api/v1/orders/stores/{store_id}/switches', { params: { path: { store_id } } });
  return data.items.find(({ menu_item_id }) => menu_item_id === itemId)?.left;
}

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** Sums as if one store took every payment in the provider's books today. */
export function sumsOf({ intents, refunds, applicationFees, feeRefunds }: Books): Readonly<Record<string, string>> {
  const sum = (of: readonly { readonly amount: number }[]) => of.reduce((total, { amount }) => total + amount, 0);
  const paid = intents.filter(({ status }) => status === 'succeeded');
  const [taken, returned, fees] = [sum(paid), sum(refunds), sum(applicationFees) - sum(feeRefunds)];
  return {
    Orders: String(paid.length),
    Taken: pounds.format(taken / 100),
    Refunded: pounds.format(-returned / 100),
    Fees: pounds.format(-fees / 100),
    Net: pounds.format((taken - returned - fees) / 100),
  };
}

export const shownSums = async (page: Page): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    await page.$$eval('.sums .sum', (sums) =>
      sums.map((sum) => [sum.querySelector('dt')?.textContent ?? '', sum.querySelector('dd')?.textContent ?? '']),
    ),
  );
