import type { Texts } from '../en/index.ts';

export const basket: Texts['basket'] = {
  title: 'Votre panier',
};
