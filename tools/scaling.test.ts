import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { scalingRows } from './scaling.ts';

const document = readFileSync(`${import.meta.dirname}/../docs/scaling.md`, 'utf8');

test('the table of docs/scaling.md is what the model computes: npm run scaling writes it', () => {
  const written = /<!-- model -->([\s\S]*?)<!-- end of the model -->/.exec(document)?.[1] ?? '';
  const cells = written.split('\n').flatMap((line) =>
    line.startsWith('|')
      ? [
          line
            .split('|')
            .slice(1, -1)
            .map((cell) => cell.trim()),
        ]
      : [],
  );
  expect(cells.slice(2)).toEqual(scalingRows());
});
