import { listOf, oneOfKind } from './listing.ts';
import { badParameter } from './refusal.ts';
import type { Event } from './stripe-shapes.ts';
import { named } from './travel.ts';
import { type Call, seconds, type World } from './world.ts';

const days = 30;
const mostTypes = 20;

const seen = ({ account, created }: Event, call: Call, world: World): boolean =>
  (account ?? null) === call.account && created > seconds(world.now()) - days * 24 * 60 * 60;

const list = listOf(
  'event',
  '/v1/events',
  { type: (event, type) => named(event.type, type), types: (event, type) => event.type === type },
  seen,
);

export function listEvents(call: Call, world: World): ReturnType<typeof list> {
  const { type, types } = call.form;
  if (type !== undefined && types !== undefined) {
    throw badParameter('type', 'You may only specify one of these parameters: type, types.');
  }
  if (typeof types === 'object' && Object.keys(types).length > mostTypes) {
    throw badParameter('types', `You may list up to ${mostTypes} types.`);
  }
  return list(call, world);
}

export const retrieveEvent = oneOfKind('event', 'event', seen);
