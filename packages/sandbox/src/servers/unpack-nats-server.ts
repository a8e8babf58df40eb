import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const downloadMs = 180_000;

export interface UnpackOptions {
  readonly target: string;
  readonly path?: string;
  readonly etc?: string;
}

/**
 * Stores the program of the distribution's nats-server package at `target`. Needs no root and installs nothing: apt works in its own
 * folder, with the machine's settings, proxies and keys. Several processes may do it at once. Rejects when the sources cannot be reached.
 */
export async function unpackNatsServer({ target, path = process.env.PATH ?? '', etc = '/etc' }: UnpackOptions): Promise<void> {
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, 'unpacking-'));
  try {
    const config = await writeAptConfig(work, etc);
    const options = { cwd: work, timeout: downloadMs, env: { ...process.env, PATH: path, LC_ALL: 'C' } };
    await run('apt-get', ['-c', config, '-qq', 'update'], options).catch(() => {});
    await run('apt-get', ['-c', config, '-qq', 'download', 'nats-server'], options);
    const archive = (await readdir(work)).find((name) => name.endsWith('.deb'));
    if (!archive) throw new Error('apt-get downloaded no package');
    await run('dpkg-deb', ['-x', archive, 'unpacked'], options);
    // The complete file is renamed into place, so that another run sees either nothing or the program.
    await copyFile(await findProgram(join(work, 'unpacked')), join(work, 'nats-server'));
    await rename(join(work, 'nats-server'), target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function findProgram(unpacked: string): Promise<string> {
  const found = (await readdir(unpacked, { recursive: true, withFileTypes: true })).find(
    (entry) => entry.isFile() && entry.name === 'nats-server' && /bin$/.test(entry.parentPath),
  );
  if (!found) throw new Error('the package nats-server holds no program of that name');
  return join(found.parentPath, found.name);
}

async function writeAptConfig(work: string, etc: string): Promise<string> {
  for (const folder of ['lists/partial', 'cache/archives/partial', 'sources']) await mkdir(join(work, folder), { recursive: true });
  await copySources(etc, join(work, 'sources'));
  const config = join(work, 'apt.conf');
  await writeFile(
    config,
    [
      `Dir::Etc::sourcelist "/dev/null";`,
      `Dir::Etc::sourceparts "${work}/sources";`,
      `Dir::State::lists "${work}/lists";`,
      `Dir::Cache "${work}/cache";`,
      // As root, apt would download as another user who cannot write here.
      `APT::Sandbox::User "${process.getuid?.() === 0 ? 'root' : ''}";`,
      // A mirror that is frozen at a date is past its own expiry date. Its signature is still verified.
      `Acquire::Check-Valid-Until "false";`,
      `Acquire::Languages "none";`,
      `Acquire::http::Timeout "20";`,
      `Acquire::https::Timeout "20";`,
      // The machine's own hooks after an update do not concern this folder.
      '#clear APT::Update::Pre-Invoke;',
      '#clear APT::Update::Post-Invoke;',
      '#clear APT::Update::Post-Invoke-Success;',
      '',
    ].join('\n'),
  );
  return config;
}

async function copySources(etc: string, into: string): Promise<void> {
  const release = /^VERSION_CODENAME="?([\w-]+)/m.exec(await readFile(`${etc}/os-release`, 'utf8'))?.[1];
  if (!release) throw new Error(`${etc}/os-release names no release`);
  const names = (await readdir(`${etc}/apt/sources.list.d`).catch(() => [])).map((name) => `sources.list.d/${name}`);
  let kept = 0;
  for (const name of ['sources.list', ...names]) {
    const text = await readFile(`${etc}/apt/${name}`, 'utf8').catch(() => '');
    const entries = name.endsWith('.sources') ? stanzasOf(text, release) : name.endsWith('.list') ? linesOf(text, release) : [];
    if (entries.length > 0) await writeFile(join(into, name.replace('sources.list.d/', '')), `${entries.join('\n')}\n`);
    kept += entries.length;
  }
  if (kept === 0) throw new Error(`${etc}/apt names no source of packages for ${release}`);
}

const linesOf = (text: string, release: string): string[] =>
  text.split('\n').filter((line) => new RegExp(`^\\s*deb\\s+(\\[[^\\]]*\\]\\s+)?\\S+\\s+${release}\\s`).test(line));

const stanzasOf = (text: string, release: string): string[] =>
  text
    .split(/\n\s*\n/)
    .filter((stanza) => new RegExp(`^Suites:.*\\s${release}(\\s|$)`, 'm').test(stanza))
    .map((stanza) => `${stanza.trim()}\n`);
