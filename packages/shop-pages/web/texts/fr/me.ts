import type { Texts } from '../en/index.ts';

export const me: Texts['me'] = {
  title: 'Moi',
};
