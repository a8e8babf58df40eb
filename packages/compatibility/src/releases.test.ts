import { cp, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { events } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { unpackRelease } from './artefact.ts';
import { missingChangesets } from './changesets.ts';
import { breaksOf, movedSinceReleases, nextSurfaces, readReleases } from './gate.ts';
import { migrationsOf, rewritten, unreleased } from './migrations.ts';
import { lastRelease, type Release, type ReleaseFolders, readRelease, releasedVersions, releasePath, versionOf } from './released.ts';
import { parts, surfaceOf } from './surface.ts';
import { writeRelease } from './write-release.ts';

let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
let releases: ReleaseFolders;
let release: Release;

beforeAll(async () => {
  folder = await mkdtempDisposable(join(tmpdir(), 'corner-releases-'));
  releases = foldersIn('made');
  release = (await writeRelease('queue', versionOf('queue'), releases)) as Release;
});
afterAll(() => folder.remove());

const foldersIn = (name: string): ReleaseFolders => ({ files: join(folder.path, name, 'released'), code: join(folder.path, name, 'code') });

async function alsoReleased(name: string, ...variants: readonly Partial<Release>[]): Promise<ReleaseFolders> {
  const to = foldersIn(name);
  await cp(join(folder.path, 'made'), join(folder.path, name), { recursive: true });
  for (const variant of variants) {
    const one = { ...release, ...variant };
    await writeFile(releasePath('queue', one.version, to), JSON.stringify(one));
  }
  return to;
}

describe('a release', () => {
  test('is read back as it was written, and is the last one of its service alone', () => {
    expect(readRelease('queue', release.version, releases)).toEqual(release);
    expect(lastRelease('queue', releases)).toEqual(release);
    expect(lastRelease('orders', releases)).toBeNull();
    expect(readRelease('queue', '9.9.9', releases)).toBeNull();
  });

  test('is never rewritten', async () => {
    const to = await alsoReleased('again', { code: 'another' });
    expect(await writeRelease('queue', release.version, to)).toBeNull();
    expect(lastRelease('queue', to)?.code).toBe('another');
  });

  test('comes after those before it by number, not by letter', async () => {
    const to = await alsoReleased('several', { version: '9.10.0' }, { version: '9.9.0' });
    expect(releasedVersions('queue', to)).toEqual([release.version, '9.9.0', '9.10.0']);
    expect(lastRelease('queue', to)?.version).toBe('9.10.0');
  });

  test('that does not exist is missed by no one: before the first there is nothing to compare with', () => {
    const none = foldersIn('none');
    expect(readReleases(none)).toEqual(Object.fromEntries(parts.map((part) => [part, []])));
    expect([breaksOf(nextSurfaces(), readReleases(none)), movedSinceReleases(none), missingChangesets({ releases: none })]).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe('the code of a release', () => {
  test('is the program, its migrations and those of the backbone', async () => {
    const program = unpackRelease(release, join(folder.path, 'unpacked'), releases);
    expect((await readFile(program, 'utf8')).length).toBeGreaterThan(100_000);
    for (const path of Object.keys(migrationsOf('queue')))
      expect(await readFile(join(folder.path, 'unpacked', path), 'utf8')).toMatch(
        /(create|alter) (unlogged |unique )?(table|index|trigger|function)/,
      );
  });

  test('is refused when its bytes are not those that were released, and missed by name when it is not at hand', async () => {
    const to = await alsoReleased('spoilt');
    await writeFile(join(to.code, `${release.code}.gz`), 'something else');
    expect(() => unpackRelease(release, folder.path, to)).toThrow(`is not the code of queue ${release.version}`);
    expect(() => unpackRelease({ ...release, code: 'abc' }, folder.path, to)).toThrow(`lacks abc.gz, the code of queue ${release.version}`);
  });
});

describe('compared with a release', () => {
  test('the checkout it was made of breaks nothing and needs no changeset', () => {
    expect([breaksOf(nextSurfaces(), readReleases(releases)), movedSinceReleases(releases)]).toEqual([[], []]);
    expect(missingChangesets({ releases, described: [] })).toEqual([]);
  });

  test('a checkout without one of its events breaks those who read it', async () => {
    const gone = { ...release.publishes, 'queue.vanished/v1': { type: 'object' } };
    const to = await alsoReleased('event', { publishes: gone });
    expect(breaksOf([surfaceOf('queue', 'next')], readReleases(to))).toEqual([
      expect.stringContaining('queue.vanished/v1 is published no more'),
    ]);
  });

  test('a field that means something else is named', async () => {
    const place = Object.keys(release.meanings.fields).find((one) => events.some(({ type }) => one.startsWith(`${type}/`))) ?? '';
    const meanings = { ...release.meanings, fields: { ...release.meanings.fields, [place]: 'In pounds.' } };
    expect(movedSinceReleases(await alsoReleased('meaning', { meanings }))).toEqual([
      expect.stringContaining(`read ${place} of queue as “In pounds.”`),
    ]);
  });

  test('a change that others can notice and no file describes is named, and one that a file describes is not', async () => {
    const to = await alsoReleased('undescribed', { operations: {} });
    expect(missingChangesets({ releases: to, described: [] })).toEqual([
      `queue has changed for others since ${release.version}: describe it with npx changeset add`,
    ]);
    expect(missingChangesets({ releases: to, described: ['queue'] })).toEqual([]);
  });

  test('a migration that was changed or is gone is named, and one that it lacks is new', () => {
    const now = migrationsOf('queue');
    const [file = ''] = Object.keys(now);
    expect(rewritten(release.migrations, now)).toEqual([]);
    expect(rewritten({ ...release.migrations, [file]: 'another digest', 'gone.sql': '' }, now)).toEqual([file, 'gone.sql']);
    expect(unreleased(release.migrations, { ...now, 'new.sql': '' })).toEqual(['new.sql']);
  });
});
