import type { Texts } from '../en/index.ts';

export const card: Texts['card'] = {
  title: 'Carte',
};
