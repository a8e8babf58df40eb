import { on } from '@corner/chassis';
import { directoryMenu } from '@corner/contracts';
import { keepMenu } from '../tables/directory.ts';

/** A menu is kept as its newest snapshot has it; what orders have taken stays taken. */
export const projectMenu = on(directoryMenu, ({ data }, tx) => keepMenu(tx, data));
