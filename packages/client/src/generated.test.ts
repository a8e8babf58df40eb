import { readFileSync, rmSync, statSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { namesFile, namesText, typesFile, writeTypes } from '../generate/types.ts';

test('src/operation-names.ts is up to date with the OpenAPI document (`npm run specs` writes it)', () => {
  expect(readFileSync(namesFile, 'utf8')).toBe(namesText());
});

test('the types are made where they are missing, and left alone while they are those of the OpenAPI document', async () => {
  rmSync(typesFile, { force: true });
  await writeTypes();
  const types = readFileSync(typesFile, 'utf8');
  for (const [, name] of namesText().matchAll(/': '(\w+)'/g)) expect(types).toContain(`\n    ${name}: {`);
  const { mtimeMs } = statSync(typesFile);
  await writeTypes();
  expect(statSync(typesFile).mtimeMs).toBe(mtimeMs);
});
