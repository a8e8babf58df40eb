import { z } from 'zod';
import { ChangedBy, Instant, MenuItemId, Pence } from '../vocabulary.ts';

export const StorePause = z
  .object({
    until: Instant.nullable().describe('When the store takes orders again. Null until staff say so.'),
    by: ChangedBy,
    at: Instant.describe('When it was paused.'),
  })
  .meta({ id: 'StorePause', description: 'Staff paused the orders of a store.' });

export const soldOutSwitches = ['no', 'until_closing', 'until_changed'] as const;

export const SwitchedItem = z
  .object({
    menu_item_id: MenuItemId,
    kind: z.enum(['item', 'choice']).describe('Whether it is an item, or a choice of options such as oat milk.'),
    of: z.array(z.string()).describe('Of a choice, the names of the items that have it. Empty for an item.'),
    name: z.string(),
    price_pence: Pence.describe('Of a choice, what it adds in the first option that has it.'),
    available: z
      .boolean()
      .describe('Whether the menu offers it. What the menu does not offer cannot be ordered, whatever its switches say.'),
    sold_out: z.boolean().describe('Whether no order can take it: staff marked it as sold out, or no unit is left.'),
    sold_out_switch: z.enum(soldOutSwitches).describe('Whether staff marked it as sold out, and for how long.'),
    sold_out_until: Instant.nullable().describe('When the mark ends. Null without one, and for one that lasts until staff change it.'),
    left: z.int().nullable().describe('Units that orders can still take. Null when they are not counted.'),
    left_by_staff: z.boolean().describe('Whether staff set how many are left. Otherwise the stock of the directory’s menu says it.'),
    by: ChangedBy.nullable().describe('Who changed one of its switches last. Null before the first change.'),
    at: Instant.nullable().describe('When that was. Null before the first change.'),
  })
  .meta({ id: 'SwitchedItem', description: 'An item of a menu with its switches.' });

export const PaceQuarter = z
  .object({
    starts_at: Instant,
    taken: z.int().describe('What orders take of it. A sale at the counter may take more than there is.'),
    capacity: z.int().describe('What the kitchen makes in it.'),
    by_staff: z.boolean().describe('Whether staff set the capacity. Otherwise it is the pace of the store.'),
  })
  .meta({ id: 'PaceQuarter', description: 'A quarter of an hour of a kitchen with a pace.' });

export const StoreLogEntry = z
  .object({
    id: z.string().describe('The cursor of the next page.'),
    at: Instant,
    title: z.string().describe('A sentence for the store.'),
    by: ChangedBy,
    menu_item_id: MenuItemId.nullable().describe('The item that it is about. Null for the pause and the drawer.'),
  })
  .meta({ id: 'StoreLogEntry' });
