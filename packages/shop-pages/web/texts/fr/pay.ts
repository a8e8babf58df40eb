import type { Texts } from '../en/index.ts';

export const pay: Texts['pay'] = {
  title: 'Payer',
};
