import { expect, test } from '@jest/globals';
import { readDocuments, readFiles } from '../walls/read-files.ts';
import { findRetired } from './find-retired.ts';
import { retired } from './retired.ts';

test('no identifier, comment, sentence or document uses a retired word', () => {
  expect(findRetired(new Map([...readFiles(), ...readDocuments()]))).toEqual([]);
});

test('a retired word is found in a name, a comment, a string, a template, a file name and a document', () => {
  const source = ['const toldAt = 1; // the teller', "const a = 'nobody came';", 'const b = `\u0024{a} was heard`;'].join('\n');
  const found = findRetired(
    new Map([
      ['services/orders/src/rules/errand.ts', source],
      ['docs/x.md', 'It tells.'],
    ]),
  );
  expect(found).toEqual([
    `services/orders/src/rules/errand.ts:1 errand.ts: say ${retired.get('errand')}`,
    `services/orders/src/rules/errand.ts:1 teller: say ${retired.get('teller')}`,
    `services/orders/src/rules/errand.ts:1 toldAt: say ${retired.get('told')}`,
    `services/orders/src/rules/errand.ts:2 nobody: say ${retired.get('nobody')}`,
    `services/orders/src/rules/errand.ts:3 heard: say ${retired.get('heard')}`,
    `docs/x.md:1 tells: say ${retired.get('tells')}`,
  ]);
});
