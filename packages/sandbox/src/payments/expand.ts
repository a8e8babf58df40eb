import type { Books } from './books.ts';
import type { Form, FormParts } from './form.ts';
import { badParameter } from './refusal.ts';

/** Puts whole objects where `expand` names ids: `latest_charge.application_fee`, or `data.charge` in a list. */
export function expand(answer: object, form: FormParts, books: Books): object {
  const paths = Object.values(partsOf(form.expand)).filter((path) => typeof path === 'string');
  return paths.reduce<object>((grown, path) => grow(grown, path.split('.'), path, books), answer);
}

function grow(thing: object, [field = '', ...rest]: readonly string[], path: string, books: Books): object {
  if (Array.isArray(thing)) return thing.map((one: object) => grow(one, [field, ...rest], path, books));
  if (!Object.hasOwn(thing, field)) {
    throw badParameter('expand', `This property cannot be expanded (${path}).`);
  }
  const held = (thing as Readonly<Record<string, unknown>>)[field];
  const whole = typeof held === 'string' ? books.find(held) : held;
  if (whole === null) return thing;
  if (typeof whole !== 'object') throw badParameter('expand', `This property cannot be expanded (${path}).`);
  return { ...thing, [field]: rest.length === 0 ? whole : grow(whole, rest, path, books) };
}

const partsOf = (form: Form | undefined): FormParts => (typeof form === 'object' ? form : {});
