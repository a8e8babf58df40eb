import type { Texts } from '../en/index.ts';

export const tap: Texts['tap'] = {
  title: 'Tampon',
};
