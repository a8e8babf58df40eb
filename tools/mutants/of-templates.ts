import type { Mutant } from './of-callers.ts';

const directory = 'services/directory/src';
const expansion = 'packages/contracts/src/directory/expand-template.ts';

/** Faults by which a shop opens at a wrong time, or not at all; and in the pictures that stores upload. */
export const mutantsOfTemplates: readonly Mutant[] = [
  {
    name: 'slots of a day that a zone skips are made on the day after',
    file: expansion,
    find: '.filter((day) => exists(day, timeZone))',
    plant: '',
    tests: ['directory/src/object/rules/templates.test'],
  },
  {
    name: 'two slots of a template overlap in the night in which the clocks change',
    file: expansion,
    find: 'if (from < taken) return false;',
    plant: '',
    tests: ['directory/src/object/rules/templates.test'],
  },
  {
    name: 'a night that began yesterday has no slots after midnight',
    file: `${directory}/object/rules/templates.ts`,
    find: 'daysFrom(first.subtract({ days: 1 }), daysAhead + 1, timeZone)',
    plant: 'daysFrom(first, daysAhead + 1, timeZone)',
    tests: ['directory/src/object/rules/templates.test'],
  },
  {
    name: 'a template makes slots within a closure',
    file: `${directory}/object/rules/templates.ts`,
    find: '[...slots, ...calendar.closures].map(timesOf)',
    plant: 'slots.map(timesOf)',
    tests: ['directory/src/object/rules/templates.test'],
  },
  {
    name: 'a store that fails ends the renewal of all others',
    file: `${directory}/offer/jobs.ts`,
    find: 'failed.add(storeId);',
    plant: 'throw error;',
    tests: ['directory/src/offer/jobs.test'],
  },
  {
    name: 'the renewal waits for a store that is being changed',
    file: `${directory}/offer/tables.ts`,
    find: 'for update skip locked',
    plant: 'for update',
    tests: ['directory/src/offer/jobs.test'],
  },
  {
    name: 'anything is kept as a picture',
    file: `${directory}/pictures/rules/pictures.ts`,
    find: 'return null;',
    plant: "return 'image/png';",
    tests: ['directory/src/pictures/webhooks.test'],
  },
  {
    name: 'staff upload pictures',
    file: `${directory}/pictures/webhooks.ts`,
    find: 'caller: manager,',
    plant: "caller: { types: ['merchant', 'staff'] },",
    tests: ['directory/src/pictures/webhooks.test'],
  },
];
