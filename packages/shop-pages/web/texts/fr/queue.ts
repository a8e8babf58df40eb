import type { Texts } from '../en/index.ts';

export const queue: Texts['queue'] = {
  title: 'File d’attente',
};
