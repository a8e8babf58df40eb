import type { Books } from './books.ts';
import type { FormParts } from './form.ts';
import { badParameter } from './refusal.ts';

const expandable = new Set([
  'account',
  'application_fee',
  'balance_transaction',
  'charge',
  'customer',
  'data',
  'destination',
  'failure_balance_transaction',
  'fee',
  'latest_charge',
  'on_behalf_of',
  'originating_transaction',
  'payment_intent',
  'source',
  'source_refund',
  'source_transaction',
  'source_transfer',
  'transfer',
  'transfer_data',
  'transfer_reversal',
]);

export function pathsToExpand({ expand }: FormParts): readonly string[] {
  const paths = typeof expand === 'object' ? Object.values(expand).filter((path) => typeof path === 'string') : [];
  for (const path of paths) {
    if (!path.split('.').every((field) => expandable.has(field)))
      throw badParameter('expand', `This property cannot be expanded (${path}).`);
  }
  return paths;
}

export function expand(resource: object, paths: readonly string[], books: Books): object {
  return paths.reduce<object>((grown, path) => grow(grown, path.split('.'), books), resource);
}

function grow(thing: object, [field, ...rest]: readonly string[], books: Books): object {
  if (field === undefined) return thing;
  if (Array.isArray(thing)) return thing.map((one: object) => grow(one, [field, ...rest], books));
  const held = (thing as Readonly<Record<string, unknown>>)[field];
  const whole = typeof held === 'string' ? books.find(held) : held;
  return typeof whole === 'object' && whole !== null ? { ...thing, [field]: grow(whole, rest, books) } : thing;
}
