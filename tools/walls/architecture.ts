import { readFileSync, writeFileSync } from 'node:fs';
import { formatMarkdown } from '../markdown/format-markdown.ts';
import { checkout } from './read-files.ts';
import { chassisRooms, consoleRooms, gatewayRooms, packageRooms, type Room, serviceRooms } from './rooms.ts';

export const architecturePath = 'docs/architecture.md';

const tables: Readonly<Record<string, readonly Room[]>> = {
  'rooms of a service': serviceRooms,
  'rooms of the gateway': gatewayRooms,
  'rooms of the console': consoleRooms,
  'rooms of the chassis': chassisRooms,
  packages: packageRooms,
};

/** The page with each list of rooms written between its markers. */
export const withRooms = (page: string): string =>
  formatMarkdown(
    Object.entries(tables).reduce(
      (text, [name, rooms]) =>
        text.replace(
          new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`),
          (_all, start: string, end: string) => `${start}\n${list(rooms)}\n\n${end}`,
        ),
      page,
    ),
  );

/** The rooms that may import the same, together. */
const list = (rooms: readonly Room[]): string =>
  [...Map.groupBy(rooms, imports)]
    .map(([allowed, own]) =>
      [
        ...own.map(({ name, about }) => `- **${name}**: ${about}${own.length === 1 ? ` Imports ${allowed}.` : ''}`),
        ...(own.length === 1 ? [] : [`- Each of these ${own.length} imports ${allowed}.`]),
      ].join('\n'),
    )
    .join('\n');

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
  const path = `${checkout}/${architecturePath}`;
  writeFileSync(path, withRooms(readFileSync(path, 'utf8')));
}
