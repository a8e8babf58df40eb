import { globSync } from 'node:fs';
import { cp, open, rm, stat, truncate } from 'node:fs/promises';
import { basename } from 'node:path';
import { anyOf, type Stage } from './stage.ts';

export interface StreamFolder {
  readonly stream: string;
  readonly path: string;
}

export const brokerFolder = ({ folder }: Stage): string => `${folder}/system/nats/jetstream`;

export const streamFolders = (folder: string): StreamFolder[] =>
  globSync('*/streams/*', { cwd: folder })
    .sort()
    .map((path) => ({ stream: basename(path), path: `${folder}/${path}` }));

const furtherDamages = ['index lost', 'index cut', 'consumers cut', 'consumers zeroed', 'consumers lost', 'meta cut', 'none'] as const;

/** The last writes of the stream are missing and zeroes precede the end. Returns a description. */
export async function tearStream({ path }: StreamFolder, random: () => number): Promise<string> {
  const cut = Math.floor(random() * 3_000);
  const zeroed = Math.floor(random() * 1_200);
  const further = anyOf(random() < 0.9 ? furtherDamages.filter((damage) => damage !== 'meta cut') : (['meta cut'] as const), random);
  const newest = newestBlock(path);
  if (newest) await tear(newest, cut, zeroed);
  const [subject, how] = further.split(' ');
  const files = { index: 'msgs/{index.db,*.idx,*.fss}', consumers: 'obs/*/o.dat', meta: 'meta.inf', none: '' }[subject ?? 'none'] ?? '';
  for (const file of globSync(files, { cwd: path })) {
    const { size } = await stat(`${path}/${file}`);
    if (how === 'lost') await rm(`${path}/${file}`);
    else if (how === 'zeroed') await tear(`${path}/${file}`, 0, size);
    else await truncate(`${path}/${file}`, Math.floor(size / 2));
  }
  return `${newest ? `${basename(newest)} -${cut} bytes, ${zeroed} zeroes` : 'no block'}, ${further}`;
}

function newestBlock(path: string): string | null {
  const blocks = globSync('msgs/*.blk', { cwd: path });
  const newest = blocks.sort((one, other) => Number.parseInt(basename(one), 10) - Number.parseInt(basename(other), 10)).at(-1);
  return newest ? `${path}/${newest}` : null;
}

async function tear(file: string, cut: number, zeroed: number): Promise<void> {
  const { size } = await stat(file);
  const end = Math.max(0, size - cut);
  await truncate(file, end);
  const length = Math.min(zeroed, end);
  await using handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(length), 0, length, end - length);
}

export type StreamPart = 'msgs' | 'obs';

export async function putBack(copy: string, folder: string, part: StreamPart, chosen: (stream: string) => boolean): Promise<string[]> {
  const done: string[] = [];
  for (const { stream, path } of streamFolders(copy)) {
    const [current] = streamFolders(folder).filter((other) => other.stream === stream && chosen(stream));
    if (!current) continue;
    await rm(`${current.path}/${part}`, { recursive: true, force: true });
    await cp(`${path}/${part}`, `${current.path}/${part}`, { recursive: true });
    done.push(stream);
  }
  return done;
}
