import { on } from '@corner/chassis';
import { tapPresented } from '@corner/contracts';
import { bindSale } from './transactions/bind-sale.ts';

/** Puts a sale on the card of the customer who tapped the store's tag after it. */
export const bindSaleWhenTapPresented = on(tapPresented, ({ data }, tx) => bindSale(tx, data));
