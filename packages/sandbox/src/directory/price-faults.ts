import { type DirectoryFile, isWholeSteps, rulesOfCurrency } from '@corner/contracts';

/**
 * Finds prices, and amounts that a promo code or a reward takes off, that cannot be charged in the currency of their store: the last digit
 * of a currency with three decimals must be 0. The currency of a store that is not in the file is not known here.
 */
export function priceFaults({ stores, menus, programmes }: DirectoryFile): string[] {
  const faults: string[] = [];
  const currencyOf = new Map(stores.map(({ id, currency }) => [id, currency]));
  const check = (place: string, storeId: string, pence: number) => {
    const currency = currencyOf.get(storeId);
    if (!currency || isWholeSteps(pence, currency)) return;
    faults.push(`${place}: must be a multiple of ${rulesOfCurrency(currency).step}, because the store's currency is ${currency}`);
  };
  for (const [at, { store_id, items, promos }] of menus.entries()) {
    for (const [index, { price_pence }] of items.entries()) check(`menus[${at}].items[${index}].price_pence`, store_id, price_pence);
    for (const [index, { kind, value }] of promos.entries()) {
      if (kind === 'amount') check(`menus[${at}].promos[${index}].value`, store_id, value);
    }
  }
  for (const [at, { store_id, reward }] of programmes.entries()) {
    if (reward.kind === 'amount') check(`programmes[${at}].reward.value`, store_id, reward.value);
  }
  return faults;
}
