import { z } from 'zod';
import { defineOperation, manager, merchant, orPartner, owner } from '../operation.ts';
import { MenuItemId, SlotId } from '../vocabulary.ts';
import { changesOf, entriesOf, OfStore, objectSchemas, Version } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const demoSalon = '0190a000-0000-7000-8000-000000000002';
const service = 'directory';

const ids = <T extends z.ZodType>(id: T, what: string) => z.array(id).max(500).optional().describe(what);
const readProblems = ['STORE_NOT_FOUND'] as const;
const changeProblems = ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'] as const;
const listsChange =
  'An entry is found by its id and its fields are set; one that is new is added at the end, and needs its required fields. What the request does not name stays.';

const MenuReply = z.object({ version: Version, menu: objectSchemas.menu });
const { items, promos } = objectSchemas.menu.shape;

export const readDirectoryMenu = defineOperation({
  name: 'readDirectoryMenu',
  service,
  method: 'GET',
  path: '/api/v1/directory/stores/{store_id}/menu',
  summary: 'Read the menu of a store as it is edited.',
  description: 'With its version, which a change names. What is sold out at the moment is not in it: readSwitches returns that.',
  caller: orPartner(merchant, 'menu:read'),
  params: OfStore,
  reply: MenuReply,
  problems: readProblems,
  replay: 'none',
  versioned: true,
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const changeMenu = defineOperation({
  name: 'changeMenu',
  service,
  method: 'PATCH',
  path: '/api/v1/directory/stores/{store_id}/menu',
  summary: 'Change the menu of a store.',
  description: `${listsChange} A menu has at most 500 items and 200 promo codes.`,
  caller: manager,
  params: OfStore,
  body: z.object({
    items: z.array(entriesOf(items.element.shape, 'id')).max(500).optional().describe('Items to change or to add.'),
    remove: ids(MenuItemId, 'Items that are no longer offered.'),
    order: ids(MenuItemId, 'The order of the items, first these; the others follow as they were.'),
    promos: z.array(entriesOf(promos.unwrap().element.shape, 'id')).max(200).optional().describe('Promo codes to change or to add.'),
    remove_promos: ids(z.guid().toLowerCase(), 'Promo codes that can no longer be used.'),
  }),
  reply: MenuReply,
  problems: changeProblems,
  replay: 'header',
  versioned: true,
  extension: true,
  example: { params: { store_id: demoStore }, body: { items: [{ id: 'flat-white', price_pence: 360 }] } },
});

const SlotsReply = z.object({ version: Version, slots: objectSchemas.slots });
const { slots, store_id: _slotsOf, ...slotTemplates } = objectSchemas.slots.shape;

export const readSlots = defineOperation({
  name: 'readSlots',
  service,
  method: 'GET',
  path: '/api/v1/directory/stores/{store_id}/slots',
  summary: 'Read the collection slots of a store as they are edited.',
  description: 'The slots of a week and the dated ones. How many orders each has is not in it: listOpenSlots returns what is left.',
  caller: orPartner(merchant, 'menu:read'),
  params: OfStore,
  reply: SlotsReply,
  problems: readProblems,
  replay: 'none',
  versioned: true,
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const changeSlots = defineOperation({
  name: 'changeSlots',
  service,
  method: 'PATCH',
  path: '/api/v1/directory/stores/{store_id}/slots',
  summary: 'Change the collection slots of a store.',
  description: `${listsChange} A store has at most 1,000 dated slots. Orders that are booked stay booked, also in a slot that is gone.`,
  caller: manager,
  params: OfStore,
  body: changesOf(slotTemplates).extend({
    slots: z.array(entriesOf(slots.unwrap().element.shape, 'id')).max(500).optional().describe('Dated slots to change or to add.'),
    remove: ids(SlotId, 'Dated slots that are no longer offered.'),
  }),
  reply: SlotsReply,
  problems: changeProblems,
  replay: 'header',
  versioned: true,
  extension: true,
  example: {
    params: { store_id: demoStore },
    body: { slots: [{ id: '0190a000-0000-7000-8000-0000000000f2', capacity: 12 }] },
  },
});

const ProgrammeReply = z.object({ version: Version, programme: objectSchemas.programme });
const {
  store_id: _programmeOf,
  store_ids: _furtherStores,
  plan_key: _plan,
  monthly_stamp_quota: _quota,
  multi_stamp: multiStamp,
  tags,
  ...programmeFields
} = objectSchemas.programme.shape;
const { entitled: _entitled, ...multiStampFields } = multiStamp.unwrap().shape;

export const readProgramme = defineOperation({
  name: 'readProgramme',
  service,
  method: 'GET',
  path: '/api/v1/directory/stores/{store_id}/programme',
  summary: 'Read the loyalty programme of a store as it is edited.',
  description: 'Managers and owners only. A store without one has a programme that is switched off, with version 0.',
  caller: orPartner(manager, 'loyalty:read'),
  params: OfStore,
  reply: ProgrammeReply,
  problems: changeProblems,
  replay: 'none',
  versioned: true,
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const changeProgramme = defineOperation({
  name: 'changeProgramme',
  service,
  method: 'PATCH',
  path: '/api/v1/directory/stores/{store_id}/programme',
  summary: 'Change the loyalty programme of a store.',
  description:
    'What the request names is set, everything else stays. The plan, its quota and what it includes, and further stores of the programme, are the platform’s. A tag belongs to one store: a uid that another store has gets TAG_TAKEN.',
  caller: owner,
  params: OfStore,
  body: changesOf(programmeFields).extend({
    multi_stamp: changesOf(multiStampFields)
      .optional()
      .describe(multiStamp.description ?? ''),
    tags: z.array(entriesOf(tags.unwrap().element.shape, 'uid')).max(100).optional().describe('NFC tags to change or to add.'),
    remove_tags: ids(tags.unwrap().element.shape.uid, 'NFC tags that the store no longer has.'),
  }),
  reply: ProgrammeReply,
  problems: [...changeProblems, 'TAG_TAKEN'],
  replay: 'header',
  versioned: true,
  extension: true,
  example: { params: { store_id: demoStore }, body: { goal: 6, reward_title: 'A coffee on us' } },
});

const FloorReply = z.object({ version: Version, floor: objectSchemas.floor });
const { services, units } = objectSchemas.floor.shape;

export const readFloor = defineOperation({
  name: 'readFloor',
  service,
  method: 'GET',
  path: '/api/v1/directory/stores/{store_id}/floor',
  summary: 'Read the chairs and services of a store as they are edited.',
  description: 'With the shifts of a week and the dated ones. A store without a floor has an empty one, with version 0.',
  caller: merchant,
  params: OfStore,
  reply: FloorReply,
  problems: readProblems,
  replay: 'none',
  versioned: true,
  extension: true,
  example: { params: { store_id: demoSalon } },
});

export const changeFloor = defineOperation({
  name: 'changeFloor',
  service,
  method: 'PATCH',
  path: '/api/v1/directory/stores/{store_id}/floor',
  summary: 'Change the chairs and services of a store.',
  description: `${listsChange} A floor has at most 100 services and 100 chairs. The first service is that of a walk-in who names none.`,
  caller: manager,
  params: OfStore,
  body: z.object({
    services: z.array(entriesOf(services.element.shape, 'id')).max(100).optional().describe('Services to change or to add.'),
    remove_services: ids(z.guid().toLowerCase(), 'Services that are no longer offered. Chairs no longer offer them either.'),
    units: z.array(entriesOf(units.element.shape, 'id')).max(100).optional().describe('Chairs to change or to add.'),
    remove_units: ids(z.guid().toLowerCase(), 'Chairs that the store no longer has.'),
    order: ids(z.guid().toLowerCase(), 'The order of services and of chairs, first these; the others follow as they were.'),
  }),
  reply: FloorReply,
  problems: changeProblems,
  replay: 'header',
  versioned: true,
  extension: true,
  example: {
    params: { store_id: demoSalon },
    body: { services: [{ id: '0190a000-0000-7000-8000-000000000701', minutes: 30 }] },
  },
});
