import { on } from '@corner/chassis';
import { directoryMenu } from '@corner/contracts';
import { saveMenu } from '../transactions/save-menu.ts';

/** Saves the newest snapshot of a menu. Stock that orders have taken stays taken. */
export const projectMenu = on(directoryMenu, ({ data }, tx) => saveMenu(tx, data));
