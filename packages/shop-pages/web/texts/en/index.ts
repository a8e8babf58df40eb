import { basket } from './basket.ts';
import { card } from './card.ts';
import { errors } from './errors.ts';
import { me } from './me.ts';
import { menu } from './menu.ts';
import { myData } from './my-data.ts';
import { order } from './order.ts';
import { pay } from './pay.ts';
import { queue } from './queue.ts';
import { shell } from './shell.ts';
import { tap } from './tap.ts';

export const en = { shell, menu, basket, pay, order, card, queue, me, myData, tap, errors };

export type Texts = typeof en;
