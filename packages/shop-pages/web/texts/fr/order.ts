import type { Texts } from '../en/index.ts';

export const order: Texts['order'] = {
  title: 'Votre commande',
};
