import { on } from '@corner/chassis';
import { tapPresented } from '@corner/contracts';
import { bindSale } from './transactions/bind-sale.ts';

export const bindSaleWhenTapPresented = on(tapPresented, ({ data }, tx) => bindSale(tx, data));
