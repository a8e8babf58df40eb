import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TestFolder, testFolder } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findNatsServer } from './find-nats-server.ts';
import { unpackNatsServer } from './unpack-nats-server.ts';

const run = promisify(execFile);
let folder: TestFolder;
beforeEach(async () => {
  folder = await testFolder();
});
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

async function program(name: string, version: string): Promise<string> {
  const path = join(folder.path, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\necho nats-server: v${version}\n`);
  await chmod(path, 0o755);
  return path;
}

const find = (surroundings: Parameters<typeof findNatsServer>[2]) => findNatsServer(join(folder.path, 'cache'), () => {}, surroundings);

test('the program that NATS_SERVER names takes precedence over all others', async () => {
  const path = await program('mine', '2.12.0');
  await program('bin/nats-server', '2.11.0');
  expect(await find({ NATS_SERVER: path, PATH: join(folder.path, 'bin') })).toEqual({
    kind: 'program',
    path,
    version: '2.12.0',
    from: 'NATS_SERVER',
  });
});

test('a wrong NATS_SERVER is an error, and no other server is used', async () => {
  await program('bin/nats-server', '2.11.0');
  const PATH = join(folder.path, 'bin');
  await expect(find({ NATS_SERVER: '/no/such/program', PATH })).rejects.toThrow('/no/such/program is not an executable program');
  await expect(find({ NATS_SERVER: await program('old', '2.1.9'), PATH })).rejects.toThrow(
    'is version 2.1.9; Corner needs 2.9.10 or newer',
  );
});

test('a program on the PATH is preferred to the cache, and the cache to anything slower', async () => {
  const cached = await program('cache/nats-server', '2.9.10');
  const onPath = await program('bin/nats-server', '2.11.0');
  expect(await find({ PATH: `/nowhere:${join(folder.path, 'bin')}` })).toMatchObject({ path: onPath, from: 'PATH' });
  expect(await find({ PATH: '/nowhere' })).toMatchObject({ path: cached, from: 'cache' });
});

test('a program that is too old is skipped', async () => {
  await program('bin/nats-server', '2.8.4');
  const cached = await program('cache/nats-server', '2.9.10');
  expect(await find({ PATH: join(folder.path, 'bin') })).toMatchObject({ path: cached });
});

test('when no server is found, one error lists everything that was tried', async () => {
  await program('bin/nats-server', '2.8.4');
  const error = await find({ PATH: join(folder.path, 'bin') }).catch((thrown: Error) => thrown.message);
  for (const way of ['NATS_URL', 'NATS_SERVER', 'On the PATH', 'version 2.8.4', 'In the cache', 'From the distribution', 'With Docker']) {
    expect(error).toContain(way);
  }
});

const debian = existsSync('/usr/bin/apt-get') && existsSync('/usr/bin/dpkg-deb') ? describe : describe.skip;

debian('the distribution’s package', () => {
  async function source(version: string): Promise<string> {
    const root = join(folder.path, `source-${version}`);
    const content = join(root, 'content');
    await mkdir(join(content, 'DEBIAN'), { recursive: true });
    await mkdir(join(content, 'usr/sbin'), { recursive: true });
    const { stdout: architecture } = await run('dpkg', ['--print-architecture']);
    const control = `Package: nats-server\nVersion: ${version}\nArchitecture: ${architecture}Maintainer: Maintainer <maintainer@example.com>\nDescription: test\n`;
    await writeFile(join(content, 'DEBIAN/control'), control);
    await copyFile(await program('packed', version), join(content, 'usr/sbin/nats-server'));
    const lists = join(root, `dists/stable/main/binary-${architecture.trim()}`);
    await mkdir(lists, { recursive: true });
    await run('dpkg-deb', ['--build', '--root-owner-group', content, join(root, 'nats-server.deb')]);
    const { stdout: sums } = await run('sha256sum', [join(root, 'nats-server.deb')]);
    const { stdout: size } = await run('stat', ['-c', '%s', join(root, 'nats-server.deb')]);
    await writeFile(
      join(lists, 'Packages'),
      `${control}Filename: nats-server.deb\nSize: ${size.trim()}\nSHA256: ${sums.split(' ')[0]}\n\n`,
    );
    return root;
  }

  async function machine(files: Record<string, string>): Promise<string> {
    const etc = join(folder.path, 'etc');
    await mkdir(join(etc, 'apt/sources.list.d'), { recursive: true });
    await writeFile(join(etc, 'os-release'), 'NAME=Test\nVERSION_CODENAME=stable\n');
    for (const [name, text] of Object.entries(files)) await writeFile(join(etc, 'apt', name), text);
    return etc;
  }

  const target = () => join(folder.path, 'cache/nats-server');
  const versionAt = async (path: string) => (await run(path, ['--version'])).stdout.trim();

  test.each([
    [
      'one line each',
      'sources.list',
      (root: string) => `# deb http://127.0.0.1:9/gone stable main\ndeb [trusted=yes] file:${root} stable main\n`,
    ],
    [
      'paragraphs',
      'sources.list.d/system.sources',
      (root: string) => `Types: deb\nURIs: file:${root}\nSuites: other stable\nComponents: main\nTrusted: yes\n`,
    ],
  ])('is found in the machine’s own sources, written as %s', async (_, name, entry) => {
    const etc = await machine({
      [name]: entry(await source('2.10.1')),
      'sources.list.d/other.list': 'deb http://127.0.0.1:9/else nodistro main\n',
    });
    await unpackNatsServer({ target: target(), etc });
    expect(await versionAt(target())).toBe('nats-server: v2.10.1');
    expect(await readdir(join(folder.path, 'cache'))).toEqual(['nats-server']);
  });

  test('a program that several processes fetch at the same time is complete for each of them', async () => {
    const etc = await machine({ 'sources.list': `deb [trusted=yes] file:${await source('2.10.2')} stable main\n` });
    await Promise.all(
      [1, 2, 3].map(async () => {
        await unpackNatsServer({ target: target(), etc });
        expect(await versionAt(target())).toBe('nats-server: v2.10.2');
      }),
    );
    expect(await readdir(join(folder.path, 'cache'))).toEqual(['nats-server']);
  });

  test('a failed download leaves no files behind', async () => {
    const etc = await machine({ 'sources.list': `deb [trusted=yes] file:${folder.path}/empty stable main\n` });
    await expect(unpackNatsServer({ target: target(), etc })).rejects.toThrow();
    expect(await readdir(join(folder.path, 'cache'))).toEqual([]);
  });
});
