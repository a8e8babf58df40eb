import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { bundlePrograms } from './bundle-programs.ts';
import { checkout } from './programs.ts';

interface Place {
  readonly originalSource?: string;
  readonly originalLine?: number;
}

test('the map of a program names the line of each own source, and no place of a library', async () => {
  const [program] = await bundlePrograms(['services/queue/src/migrate.ts'], { checkout });
  const code = Buffer.from(program?.code ?? [])
    .toString()
    .split('\n');
  const content = JSON.parse(Buffer.from(program?.map ?? []).toString());
  const map = new SourceMap(content);
  const placeOf = (text: string): Place => {
    const line = code.findIndex((one) => one.includes(text));
    return map.findEntry(line, code[line]?.indexOf(text) ?? 0) as Place;
  };
  const source = 'packages/chassis/src/database/migrate.ts';
  for (const text of ['await prepareSchema(', 'await prepareRole(', 'await revokeFromPublic(']) {
    const lines = readFileSync(join(checkout, source), 'utf8').split('\n');
    const originalLine = lines.findIndex((line) => line.includes(text));
    expect(placeOf(text)).toMatchObject({ originalSource: expect.stringMatching(new RegExp(`/${source}$`)), originalLine });
  }
  expect(placeOf('checkServerIdentity').originalSource).toBeUndefined();
  expect(content.sources.filter((path: string) => path.includes('node_modules/'))).toEqual([]);
  expect(program?.map.length).toBeLessThan(100_000);
});
