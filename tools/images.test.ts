import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { imageFiles, readImages, withImages } from './images.ts';

const read = (path: string) => readFileSync(`${import.meta.dirname}/../${path}`, 'utf8');
const images = readImages();
/** Names one version and not the newest of several; a digest may follow. */
const exact = /^[\w./-]+:v?\d+\.\d+(?:\.\d+)?(?:-[\w.]+)*(?:@sha256:[0-9a-f]{64})?$/;

test('every image of someone else has an exact version, and the one of deploy/images.json', () => {
  expect(Object.values(images).filter((image) => !exact.test(image))).toEqual([]);
  expect(Object.values(images).filter((image) => !image.startsWith('postgres:') && !/:v?\d+\.\d+\.\d+/.test(image))).toEqual([]);
  expect(imageFiles.filter((file) => /:latest\b/.test(read(file)))).toEqual([]);
  for (const file of imageFiles) expect([file, read(file)]).toEqual([file, withImages(read(file), images)]);
  const others = [...read('docker-compose.yml').matchAll(/image: (?!corner\/)(\S+)/g)].map(([, image]) => image ?? '');
  expect(others.filter((image) => !Object.values(images).includes(image))).toEqual([]);
  expect(`${read('Dockerfile').match(/(?<=NODE_IMAGE=)\S+/)}`).toBe(images.node);
  const installed = Object.values(JSON.parse(read('package.json')).optionalDependencies);
  expect(installed).toContain(images.node?.split(/[:-]/)[1]);
  expect(read('deploy/kubernetes/overlays/example/images/kustomization.yaml')).toContain(`newTag: ${images.nats?.split(/[:@]/)[1]}`);
});

test('a floating tag is found, wherever it stands', () => {
  expect(['nats:2-alpine', 'nats:latest', 'postgres:18', 'node:26-bookworm-slim', 'nats'].filter((image) => exact.test(image))).toEqual([]);
  const pinned = { nats: `nats:2.15.1-alpine@sha256:${'0'.repeat(64)}` };
  for (const text of ["'nats:2-alpine'", 'image: nats:2.10.27'].map((each) => withImages(each, pinned)))
    expect(text).toContain(pinned.nats);
});
