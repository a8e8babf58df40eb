import { z } from 'zod';
import { timeOfDay } from '../directory/snapshot-parts.ts';
import { weekDays } from '../directory/templates.ts';
import { defineOperation, manager, staff } from '../operation.ts';
import { Day, StoreId } from '../vocabulary.ts';
import { KeptClass, WeeklyClass } from './booking-shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000002';
const demoService = '0190a000-0000-7000-8000-000000000701';
const demoChair = '0190a000-0000-7000-8000-000000000711';
const someWeeklyClass = '0190a000-0000-7000-8000-000000000911';
const service = 'queue';

const ofStore = z.object({ store_id: StoreId });
const weeklyClassAt = z.object({ weekly_class_id: z.guid().toLowerCase().describe('The weekly class, as makeWeeklyClass returned it.') });
const from = timeOfDay.describe('When it begins: a time of day in the store’s time zone, the same when the clocks change.');
const places = z.int().min(2).max(200).describe('How many people may come.');
const minutes = z.int().min(5).max(720);
const reply = z.object({ weekly_class: WeeklyClass });
const changedReply = reply.extend({
  kept: z
    .array(KeptClass)
    .describe('Classes ahead that stay as they were, unlike the weekly class now: they have bookings, or staff have changed them.'),
});
const notMade =
  'No class is made on a day on which the store is closed by an exception to its hours, or on which no chair is staffed and free: `ahead` says so, and it is made once that has changed. A class that staff change or cancel stays so.';

export const makeWeeklyClass = defineOperation({
  name: 'makeWeeklyClass',
  service,
  method: 'POST',
  path: '/api/v1/queue/weekly-classes',
  summary: 'Make a class by the week.',
  description: `Its classes are made for the next 14 days, today included, and a job keeps them so. ${notMade} A store has at most 100.`,
  caller: manager,
  body: ofStore.extend({
    service_id: z.guid().toLowerCase().describe('The service.'),
    unit_id: z.guid().toLowerCase().nullish().describe('The chair, or a room that is one. Any that offers the service when absent.'),
    days: weekDays,
    from,
    minutes: minutes.nullish().describe('How long it takes. As long as the service when absent.'),
    places,
    from_date: Day.nullish().describe('The first day on which it may be. Today when absent.'),
    until_date: Day.nullish().describe('The last day on which it may be. Without an end when absent.'),
  }),
  reply,
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE', 'SERVICE_NOT_FOUND', 'UNIT_NOT_FOUND'],
  replay: 'header',
  extension: true,
  example: { body: { store_id: demoStore, service_id: demoService, unit_id: demoChair, days: [1, 3], from: '18:00', places: 12 } },
});

export const listWeeklyClasses = defineOperation({
  name: 'listWeeklyClasses',
  service,
  method: 'GET',
  path: '/api/v1/queue/stores/{store_id}/weekly-classes',
  summary: 'List the classes by the week of a store.',
  description: 'Those that have not ended, in the order in which they were made, each with its classes of the next 14 days.',
  caller: staff,
  params: ofStore,
  reply: z.object({ time_zone: z.string().describe('The store’s time zone.'), weekly_classes: z.array(WeeklyClass) }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const changeWeeklyClass = defineOperation({
  name: 'changeWeeklyClass',
  service,
  method: 'POST',
  path: '/api/v1/queue/weekly-classes/{weekly_class_id}/change',
  summary: 'Change a class by the week.',
  description: `What the request names is set, everything else stays. Only classes ahead that no one has booked change with it; \`kept\` lists the others. ${notMade}`,
  caller: manager,
  params: weeklyClassAt,
  body: ofStore.extend({
    unit_id: z.guid().toLowerCase().nullish().describe('The chair.'),
    days: weekDays.nullish().describe('Days of the week; 1 is Monday.'),
    from: from.nullish().describe('When it begins: a time of day in the store’s time zone.'),
    minutes: minutes.nullish().describe('How long it takes.'),
    places: places.nullish().describe('How many people may come.'),
    until_date: Day.nullish().describe('The last day on which it may be. Null: without an end.'),
  }),
  reply: changedReply,
  problems: ['SESSION_NOT_FOUND', 'INSUFFICIENT_ROLE', 'INVALID_TRANSITION', 'UNIT_NOT_FOUND'],
  replay: 'header',
  extension: true,
  example: { params: { weekly_class_id: someWeeklyClass }, body: { store_id: demoStore, from: '19:00' } },
});

export const endWeeklyClass = defineOperation({
  name: 'endWeeklyClass',
  service,
  method: 'POST',
  path: '/api/v1/queue/weekly-classes/{weekly_class_id}/end',
  summary: 'End a class by the week.',
  description:
    'No more classes are made, and those ahead that no one has booked are cancelled; `kept` lists the others. A repeat changes nothing.',
  caller: manager,
  params: weeklyClassAt,
  body: ofStore,
  reply: changedReply,
  problems: ['SESSION_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  extension: true,
  example: { params: { weekly_class_id: someWeeklyClass }, body: { store_id: demoStore } },
});
