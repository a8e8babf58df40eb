import { posix } from 'node:path';
import { readSource } from './read-source.ts';
import type { Room, Wing } from './room.ts';
import { impureGlobals, rooms, schemas, testRoom, wings } from './rooms.ts';

export type Files = ReadonlyMap<string, string>;

interface Place {
  readonly room: Room;
  /** `services/orders`, `packages/cli`; null for tools. */
  readonly owner: string | null;
  readonly wing: string | null;
}

/** A sentence for each breach of the table of rooms. Relative paths are resolved as Node does; types count like values. */
export function findBreaches(files: Files): string[] {
  const breaches: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [path, text] of files) {
    if (path.endsWith('.sql')) {
      breaches.push(...foreignSchemas(path, [text]));
      continue;
    }
    const place = placeOf(path);
    if (!place) {
      breaches.push(`${path} is in no room: move it into one, or name the missing room in tools/walls/rooms.ts`);
      continue;
    }
    if (standsOutside(place)) breaches.push(`${path} stands in no wing: its service has wings, named in tools/walls/rooms.ts`);
    const source = readSource(path, text);
    const targets: string[] = [];
    for (const entry of source.imports) {
      const target = entry.specifier === null ? null : resolve(path, entry.specifier);
      if (target !== null && files.has(target)) targets.push(target);
      const fault = faultOf(place, entry, target, files);
      if (fault) breaches.push(`${path} ${fault}`);
    }
    graph.set(path, targets);
    breaches.push(...impurities(path, place.room, source.uses), ...foreignSchemas(path, source.texts));
  }
  return [...breaches, ...cycles(graph), ...Object.entries(wings).flatMap(([service, own]) => circlesOfWings(service, own))];
}

export function placeOf(path: string): Place | null {
  const owner = /^(?:services|packages)\/[a-z0-9-]+/.exec(path)?.[0] ?? null;
  if (testRoom.files.test(path)) return { room: testRoom, owner, wing: null };
  for (const room of rooms) {
    const found = room.files.exec(path);
    if (found) return { room, owner, wing: found.groups?.wing ?? null };
  }
  return null;
}

export const resolve = (path: string, specifier: string): string | null =>
  specifier.startsWith('.') ? posix.normalize(posix.join(posix.dirname(path), specifier)) : null;

interface ImportSeen {
  readonly specifier: string | null;
  readonly names: readonly string[];
  readonly typeOnly: boolean;
}

function faultOf(from: Place, entry: ImportSeen, target: string | null, files: Files): string | null {
  if (entry.specifier === null)
    return from.owner?.startsWith('services/') && from.room !== testRoom
      ? 'imports a module by a computed path, which cannot be checked: write the path out'
      : null;
  const { room } = from;
  const refused = room.refused?.names.find((name) => entry.names.includes(name) || entry.specifier === name);
  if (refused) return `imports ${refused}: ${room.refused?.why}`;
  if (target === null) return faultOfPackage(from, entry.specifier);
  if (!/\.tsx?$/.test(target)) return null;
  const to = placeOf(target);
  if (!to) return null; // The file itself is reported.
  if (to.room === testRoom) return `imports the test ${target}`;
  if (to.owner !== from.owner) return `reaches into ${to.owner ?? 'tools'} by a relative path (${entry.specifier})`;
  if (to.room.name.endsWith('testing') && !/testing$/.test(room.name) && room !== testRoom && !isForTests(room))
    return `imports ${target}, which is for tests only`;
  if (room === testRoom || room.imports.includes('*') || room.imports.includes('own package')) return null;
  if (to.wing !== null && from.wing !== null && to.wing !== from.wing) {
    const fault = faultOfWings(from, to, target);
    if (fault !== null) return fault;
    if (to.room.name === 'index') return faultOfNames(from, entry, target, files);
  }
  return faultOfRooms(from, to, entry, target);
}

function faultOfRooms({ room }: Place, to: Place, entry: ImportSeen, target: string): string | null {
  if (to.room === room) return room.apart ? `imports ${target}: an entry point never calls another` : null;
  if (!room.imports.includes(to.room.name)) return `imports ${target}: ${room.name} may not import ${to.room.name}`;
  if (room.typesOnly?.includes(to.room.name) && !entry.typeOnly)
    return `imports values of ${target}: ${room.name} takes types only from ${to.room.name}`;
  return null;
}

const wingsOf = ({ owner }: Place): Readonly<Record<string, Wing>> => wings[owner?.replace(/^(?:services|packages)\//, '') ?? ''] ?? {};

/** Files of a service with a kernel are in a wing, but for those that the whole service has once. */
function standsOutside(place: Place): boolean {
  const isOfService = ['main', 'migrate', 'config', 'context', 'service', 'testing'].includes(place.room.name);
  if (!place.owner?.startsWith('services/')) return false;
  return place.wing === null && place.room !== testRoom && !isOfService && Object.values(wingsOf(place)).some(({ kernel }) => kernel);
}

/** A wing imports the kernel's rooms, and another wing by its index.ts alone, where the table allows it. */
function faultOfWings(from: Place, to: Place, target: string): string | null {
  const [own, other] = [wingsOf(from)[from.wing ?? ''], wingsOf(to)[to.wing ?? '']];
  const isAllowed = own?.imports.includes(to.wing ?? '') || (other?.kernel && !own?.kernel);
  if (!isAllowed) return `imports ${target}: the wing ${from.wing} may not import the wing ${to.wing}`;
  return other?.kernel || to.room.name === 'index' ? null : `imports ${target}: another wing is imported by its index.ts alone`;
}

/** A name from an index.ts counts as one of the room that defines it. */
function faultOfNames(from: Place, entry: ImportSeen, index: string, files: Files): string | null {
  if (entry.names.length === 0) return `imports all of ${index}: name what is taken`;
  const exported = readSource(index, files.get(index) ?? '').imports;
  for (const name of entry.names) {
    const behind = exported.find(({ names }) => names.includes(name));
    const target = behind?.specifier ? resolve(index, behind.specifier) : null;
    const to = target === null ? null : placeOf(target);
    if (!behind || target === null || !to) return `imports ${name} of ${index}, which names no file that it stands in`;
    const fault = faultOfRooms(from, to, { ...entry, typeOnly: entry.typeOnly || behind.typeOnly }, target);
    if (fault) return fault;
  }
  return null;
}

export function countImports(service: string, files: Files): { readonly from: string; readonly to: string; readonly count: number }[] {
  const arrows = [...files].flatMap(([path, text]) => {
    const from = placeOf(path);
    if (from?.owner?.split('/')[1] !== service || from.wing === null || from.room === testRoom || from.room.name === 'index') return [];
    const targets = readSource(path, text).imports.map(({ specifier }) => specifier && resolve(path, specifier));
    return [...new Set(targets)].flatMap((target) => (target && placeOf(target)?.wing) || []).map((to) => ({ from: from.wing ?? '', to }));
  });
  return [...Map.groupBy(arrows, ({ from, to }) => `${from} ${to}`).values()].map((same) => ({
    from: same[0]?.from ?? '',
    to: same[0]?.to ?? '',
    count: same.length,
  }));
}

export function circlesOfWings(service: string, own: Readonly<Record<string, Pick<Wing, 'imports'>>>): string[] {
  const graph = new Map(Object.entries(own).map(([name, { imports }]) => [name, imports]));
  return cycles(graph).map((circle) => circle.replace('a cycle of imports', `a circle in the table of wings of ${service}`));
}

const isForTests = ({ name }: Room): boolean => name === '@corner/e2e' || name === '@corner/testkit';

function faultOfPackage({ room, owner }: Place, specifier: string): string | null {
  if (specifier.startsWith('node:')) {
    if (room.builtins && !room.builtins.includes(specifier)) return `imports ${specifier}: ${room.name} may not`;
    return null;
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (!name.startsWith('@corner/')) {
    if (room.libraries && !room.libraries.includes(name)) return `imports ${name}: ${room.name} may not`;
    return null;
  }
  if (owner === `packages/${name.slice(8)}`) return null;
  const isService = schemas.includes(name.slice(8));
  if (isService && specifier !== name && room.imports.includes('exports of services')) return null;
  if (isService && specifier !== name && room === testRoom && (owner === 'packages/e2e' || owner === 'packages/benchmarks')) return null;
  if (room.imports.includes(specifier) || room.imports.includes(name)) return null;
  if (specifier.startsWith('@corner/contracts/specs') && room.imports.includes('@corner/contracts/specs')) return null;
  return isService
    ? `imports ${specifier}: a service is reached by events, RPCs and HTTP alone`
    : `imports ${specifier}: ${room.name} may not`;
}

function impurities(path: string, room: Room, uses: readonly string[]): string[] {
  const found = new Set<string>();
  for (const use of uses) {
    const [object = ''] = use.split('.');
    if (
      room.pure &&
      (use === 'Date.now' || use === 'Temporal.Now' || use === 'new Date()' || use === 'Math.random' || impureGlobals.includes(object))
    )
      found.add(`${path} uses ${use}: rules are pure; time, randomness and settings are arguments`);
    else if (use === 'process.env' && !room.environment) found.add(`${path} reads process.env: settings are read by config.ts alone`);
  }
  return [...found];
}

function foreignSchemas(path: string, texts: readonly string[]): string[] {
  const own = /^services\/([a-z]+)\/(?:src|migrations)\//.exec(path)?.[1];
  if (own === undefined || testRoom.files.test(path) || /\/testing\//.test(path)) return [];
  const named = /\b(?:from|join|into|update|table|references|truncate|only)\s+"?([a-z_]+)"?\s*\.\s*"?[a-z_]+/gi;
  const found = texts.flatMap((text) => [...text.matchAll(named)].map(([, schema = '']) => schema.toLowerCase()));
  return [...new Set(found)]
    .filter((schema) => schema !== own && schemas.includes(schema))
    .map((schema) => `${path} names the schema ${schema} in SQL: a service reads and writes its own schema alone`);
}

/** Cycles of imports, of types too, are one sentence each, with the files in order. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const stack: string[] = [];
  const visit = (path: string): void => {
    state.set(path, 'open');
    stack.push(path);
    for (const next of graph.get(path) ?? []) {
      if (state.get(next) === 'open') found.push(`a cycle of imports: ${[...stack.slice(stack.indexOf(next)), next].join(' -> ')}`);
      else if (!state.has(next)) visit(next);
    }
    stack.pop();
    state.set(path, 'done');
  };
  for (const path of graph.keys()) if (!state.has(path)) visit(path);
  return found;
}
