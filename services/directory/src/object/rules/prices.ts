import { type DirectoryObject, isWholeSteps, rulesOfCurrency } from '@corner/contracts';

/**
 * Returns a sentence for each amount of a menu or a programme that cannot be charged in its store's currency: the last digit of one with
 * three decimals must be 0.
 */
export function priceFaults(object: DirectoryObject, currency: string): string[] {
  const wrong = (amount: number) => !isWholeSteps(amount, currency);
  const must = `must be a multiple of ${rulesOfCurrency(currency).step}, because the store's currency is ${currency}`;
  if ('promos' in object)
    return [
      ...object.items.filter(({ price_pence }) => wrong(price_pence)).map(({ id }) => `items.${id}.price_pence: ${must}`),
      ...object.items.flatMap((item) =>
        item.options.flatMap((option) =>
          option.choices
            .filter(({ price_pence }) => wrong(price_pence))
            .map(({ id }) => `items.${item.id}.options.${option.id}.choices.${id}.price_pence: ${must}`),
        ),
      ),
      ...object.promos.filter(({ kind, value }) => kind === 'amount' && wrong(value)).map(({ id }) => `promos.${id}.value: ${must}`),
    ];
  if ('reward' in object && object.reward.kind === 'amount' && wrong(object.reward.value)) return [`reward.value: ${must}`];
  return [];
}
