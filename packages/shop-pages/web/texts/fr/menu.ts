import type { Texts } from '../en/index.ts';

export const menu: Texts['menu'] = {
  title: 'Carte',
};
