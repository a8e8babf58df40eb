import { readFileSync, writeFileSync } from 'node:fs';
import { formatMarkdown } from '../markdown/format-markdown.ts';
import { countImports } from './find-breaches.ts';
import { areas, floorsOf } from './page-rooms.ts';
import { reachOf } from './reach.ts';
import { checkout, readFiles } from './read-files.ts';
import type { Room } from './room.ts';
import { chassisRooms, consoleRooms, gatewayRooms, measuredOperations, packageRooms, serviceRooms, wings } from './rooms.ts';

/** A service that architecture.md has no room for lists its wings in its README. */
export const pagesWithLists: readonly string[] = ['docs/architecture.md', 'services/directory/README.md'];

const tables: Readonly<Record<string, readonly Room[]>> = {
  'rooms of a service': serviceRooms,
  'rooms of the gateway': gatewayRooms,
  'rooms of the console': consoleRooms,
  'rooms of the chassis': chassisRooms,
  packages: packageRooms,
};

export function withRooms(page: string): string {
  const lists = [
    ...Object.entries(tables).map(([name, rooms]) => [name, list(rooms)] as const),
    ['rooms of the pages', Object.keys(areas).map(listPages).join('\n')] as const,
    ...Object.keys(wings)
      .filter((service) => !(service in areas))
      .map((service) => [`wings of ${service}`, listWings(service)] as const),
  ];
  return formatMarkdown(
    lists.reduce(
      (text, [name, written]) =>
        text.replace(
          new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`),
          (_all, start: string, end: string) => `${start}\n${written}\n\n${end}`,
        ),
      page,
    ),
  );
}

/** Lists the imports between wings and their number, and the number of imports that stay in a wing or go to the kernel. */
function listWings(service: string): string {
  const own = wings[service] ?? {};
  const counts = countImports(service, readFiles());
  const near = counts.filter(({ from, to }) => from === to || own[to]?.kernel);
  const sum = (some: typeof counts) => some.reduce((total, { count }) => total + count, 0);
  const arrows = (wing: string) =>
    counts.filter(({ from, to }) => from === wing && to !== wing && !own[to]?.kernel).map(({ to, count }) => `${to} (${count})`);
  return [
    ...Object.entries(own).map(([name, { about, kernel }]) => {
      const others = arrows(name).join(', ');
      return `- **${name}**: ${about}${kernel ? ' Kernel: each wing imports its rooms.' : ''}${others && ` Imports ${others}.`}`;
    }),
    `- ${Math.round((100 * sum(near)) / sum(counts))} % of ${sum(counts)} imports stay in a wing or go to the kernel.`,
    ...listReach(service),
  ].join('\n');
}

function listPages(name: string): string {
  const kernel = (area: string) => areas[name]?.[area]?.kernel;
  const arrows = countImports(name, readFiles()).filter(({ from, to }) => from !== to && !kernel(to));
  const lists = [...Map.groupBy(arrows, ({ from }) => from)].map(
    ([from, own]) => `${from} → ${own.map(({ to, count }) => `${to} (${count})`).join(', ')}`,
  );
  return `- **${name}**: ${floorsOf(name)}.${lists.length > 0 ? ` Areas: ${lists.join('; ')}.` : ''}`;
}

function listReach(service: string): string[] {
  const files = readFiles();
  const counts = Object.entries(measuredOperations[service] ?? {}).map(([name, path]) => {
    const { size } = reachOf(`services/${service}/src/${path}`, files);
    return `${name} ${size}`;
  });
  return counts.length === 0 ? [] : [`- Files that an operation reaches by imports of values: ${counts.join(', ')}.`];
}

/** Rooms that may import the same share a line. Imports of test fixtures help no reader, and are left out. */
const list = (rooms: readonly Room[]): string =>
  [...Map.groupBy(rooms, (room) => (room.about.includes('by tests only') ? null : imports(room)))]
    .map(([allowed, own]) => {
      const before = rooms.slice(0, own[0] && rooms.indexOf(own[0])).map(({ name }) => name);
      const written = allowed && inShort(allowed, before);
      return [
        ...own.map(({ name, about }) => `- **${name}**: ${about}${own.length === 1 && written !== null ? ` Imports ${written}.` : ''}`),
        ...(own.length === 1 || written === null ? [] : [`- Each of these ${own.length} imports ${written}.`]),
      ].join('\n');
    })
    .join('\n');

/** Three or more rooms that are all that stand before in the list are "all above". */
function inShort(allowed: string, before: readonly string[]): string {
  const names = allowed.split(', ');
  if (before.length < 3 || !before.every((name) => names.includes(name))) return allowed;
  return ['all above', ...names.filter((name) => !before.includes(name))].join(', ');
}

function imports({ name, imports: allowed, apart, typesOnly = [], libraries, pure }: Room): string {
  const others = allowed
    .filter((other) => other !== name && other !== 'own package')
    .map((other) => (other === '*' ? 'every room' : typesOnly.includes(other) ? `types of ${other}` : other));
  const notes = [
    ...(apart ? ['never another entry point'] : []),
    ...(libraries ? [libraries.length === 0 ? 'no library' : libraries.join(', ')] : []),
    ...(pure ? ['no clock, randomness or environment'] : []),
  ];
  return [...others, ...notes].join(', ') || 'nothing';
}

if (process.argv[1] === import.meta.filename) {
  for (const page of pagesWithLists) {
    const path = `${checkout}/${page}`;
    writeFileSync(path, withRooms(readFileSync(path, 'utf8')));
  }
}
