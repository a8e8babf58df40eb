import type { Kind, Kinds } from './books.ts';
import { type Range, readParameters } from './parameters.ts';
import { badParameter, noSuch } from './refusal.ts';
import type { Call, World } from './world.ts';

interface Page<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly url: string;
}

type Filters<T> = { readonly [parameter: string]: (thing: T, wanted: string) => boolean };

const paging = { created: 'range', ending_before: 'string', expand: 'any', limit: 'integer', starting_after: 'string' } as const;

type Seen<T> = (thing: T, call: Call, world: World) => boolean;

export function listOf<K extends Kind>(kind: K, url: string, filters: Filters<Kinds[K]> = {}, seen: Seen<Kinds[K]> = () => true) {
  return (call: Call, world: World): Page<Kinds[K]> => {
    const names = Object.fromEntries(Object.keys(filters).map((name) => [name, name === 'types' ? 'list' : 'string'] as const));
    const given = readParameters(call.form, { ...names, ...paging }) as Readonly<Record<string, string | readonly string[] | undefined>> & {
      readonly created?: Range;
    };
    const { created, ending_before, limit = 10, starting_after } = readParameters(call.form, { ...names, ...paging });
    if (limit < 1 || limit > 100) throw badParameter('limit', 'The limit must be from 1 to 100.', 'parameter_invalid_integer');

    const wanted = Object.entries(filters).flatMap(([name, holds]) =>
      given[name] === undefined ? [] : [{ holds, values: [given[name]].flat() }],
    );
    const rows = world.books
      .all(kind)
      .reverse()
      .filter((thing) => seen(thing, call, world))
      .filter((thing) => within(created, (thing as { readonly created?: number }).created ?? 0))
      .filter((thing) => wanted.every(({ holds, values }) => values.some((value) => holds(thing, value))));

    const position = (param: string, id: string): number => {
      const found = rows.findIndex((row) => row.id === id);
      if (found < 0) throw noSuch(kind, id, param, 400);
      return found;
    };
    if (ending_before !== undefined) {
      const end = position('ending_before', ending_before);
      return { object: 'list', data: rows.slice(Math.max(0, end - limit), end), has_more: end > limit, url };
    }
    const start = starting_after === undefined ? 0 : position('starting_after', starting_after) + 1;
    return { object: 'list', data: rows.slice(start, start + limit), has_more: rows.length > start + limit, url };
  };
}

export function oneOfKind<K extends Kind>(kind: K, named: string = kind, seen: Seen<Kinds[K]> = () => true) {
  return (call: Call, world: World): Kinds[K] => {
    readParameters(call.form, { expand: 'any' });
    const id = call.ids[0] ?? '';
    const thing = world.books.get(kind, id);
    if (!thing || !seen(thing, call, world)) throw noSuch(named, id, 'id');
    return thing;
  };
}

function within(range: Range | undefined, at: number): boolean {
  if (!range) return true;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return at > gt && at >= gte && at < lt && at <= lte;
}
