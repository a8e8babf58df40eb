import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

// Writes deploy/images.json into every file that names an image. `--digests` asks the registries for each tag's digest first, with Docker.

const checkout = `${import.meta.dirname}/..`;
const list = 'deploy/images.json';

export const imageFiles = [
  'docker-compose.yml',
  'Dockerfile',
  'packages/sandbox/src/servers/find-nats-server.ts',
  'packages/testkit/src/pick-servers.ts',
];

export const readImages = (): Readonly<Record<string, string>> => JSON.parse(readFileSync(`${checkout}/${list}`, 'utf8'));

export function withImages(text: string, images: Readonly<Record<string, string>>): string {
  const names = Object.keys(images).join('|');
  const named = new RegExp(`(?<=(?:image: |NODE_IMAGE=|'))(${names}):[\\w.-]*\\d[\\w.-]*(?:@sha256:[0-9a-f]{64})?`, 'g');
  return text.replaceAll(named, (_whole, name: string) => images[name] ?? '');
}

function withDigest(image: string): string {
  const [tag = ''] = image.split('@');
  const inspect = ['buildx', 'imagetools', 'inspect', tag, '--format', '{{.Manifest.Digest}}'];
  return `${tag}@${execFileSync('docker', inspect, { encoding: 'utf8' }).trim()}`;
}

if (import.meta.main) {
  let images = readImages();
  if (process.argv.includes('--digests')) {
    images = Object.fromEntries(Object.entries(images).map(([name, image]) => [name, withDigest(image)]));
    writeFileSync(`${checkout}/${list}`, `${JSON.stringify(images, null, 2)}\n`);
  }
  for (const file of imageFiles) {
    const path = `${checkout}/${file}`;
    writeFileSync(path, withImages(readFileSync(path, 'utf8'), images));
  }
}
