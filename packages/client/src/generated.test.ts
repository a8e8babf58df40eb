import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { generatedTypes, typesFile } from '../generate/types.ts';

test('src/openapi.ts is up to date with the OpenAPI document (`npm run specs` writes it)', async () => {
  expect(readFileSync(typesFile, 'utf8')).toBe(await generatedTypes());
});
