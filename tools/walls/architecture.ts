import { readFileSync, writeFileSync } from 'node:fs';
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

/** The page with each table of rooms written anew between its markers. */
export const withTables = (page: string): string =>
  Object.entries(tables).reduce(
    (text, [name, rooms]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`),
        (_all, start: string, end: string) => `${start}\n${table(rooms)}\n${end}`,
      ),
    page,
  );

const table = (rooms: readonly Room[]): string =>
  [
    '| room | holds | may import |',
    '| --- | --- | --- |',
    ...rooms.map((room) => `| ${room.name} | ${room.about} | ${imports(room)} |`),
    '',
  ].join('\n');

function imports({ name, imports: allowed, apart, typesOnly = [], libraries, pure }: Room): string {
  const others = allowed
    .filter((other) => other !== name && other !== 'own package')
    .map((other) => (other === '*' ? 'every room' : typesOnly.includes(other) ? `types of ${other}` : other));
  const notes = [
    ...(apart ? ['never another entry point'] : []),
    ...(libraries ? [libraries.length === 0 ? 'no library' : libraries.join(', ')] : []),
    ...(pure ? ['no clock, randomness or environment'] : []),
  ];
  return [...others, ...notes].join(', ') || '–';
}

if (process.argv[1] === import.meta.filename) {
  const path = `${checkout}/${architecturePath}`;
  writeFileSync(path, withTables(readFileSync(path, 'utf8')));
}
