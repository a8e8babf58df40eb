import { hash } from 'node:crypto';
import { picturesPath } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { demoDirectory } from './demo-directory.ts';
import { demoPictures } from './demo-pictures.ts';

test('each item of the demo names a picture that is there, and each picture is of an item', () => {
  const { menus } = demoDirectory(new Date('2026-07-14T12:00:00Z')) as { menus: { items: { image_url: string }[] }[] };
  const named = menus.flatMap(({ items }) => items.map(({ image_url }) => image_url));
  const kept = demoPictures().map((bytes) => `${picturesPath}/${hash('sha256', bytes)}`);
  expect(named.toSorted()).toEqual(kept.toSorted());
});
