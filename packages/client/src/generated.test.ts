import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { generatedTypes, typesFile } from '../generate/types.ts';

test('the types are those of the document; `pnpm run specs` writes them anew', async () => {
  expect(readFileSync(typesFile, 'utf8')).toBe(await generatedTypes());
});
