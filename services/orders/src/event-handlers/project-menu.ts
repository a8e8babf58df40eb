import { on } from '@corner/chassis';
import { directoryMenu } from '@corner/contracts';
import { keepMenu } from '../transactions/keep-menu.ts';

/** Keeps the newest snapshot of a menu. Stock that orders have taken stays taken. */
export const projectMenu = on(directoryMenu, ({ data }, tx) => keepMenu(tx, data));
