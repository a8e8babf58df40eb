import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Milliseconds a download may take altogether. */
const downloadMs = 180_000;

export interface UnpackOptions {
  /** Where the program is to be. */
  readonly target: string;
  /** Where apt-get and dpkg-deb are looked for. */
  readonly path?: string;
  /** The machine's settings: its release and its sources of packages. */
  readonly etc?: string;
}

/**
 * Gets the distribution's own nats-server package, from the sources this machine is set up with, and puts the program at
 * `target`. Needs no root, no home folder and installs nothing: apt works in a folder of its own beside the target.
 * Whoever else does the same at the same time is not disturbed. Rejects when this is no such distribution or cannot be reached.
 */
export async function unpackNatsServer({ target, path = process.env.PATH ?? '', etc = '/etc' }: UnpackOptions): Promise<void> {
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, 'unpacking-'));
  try {
    const config = await writeAptConfig(work, etc);
    const options = { cwd: work, timeout: downloadMs, env: { ...process.env, PATH: path, LC_ALL: 'C' } };
    // One source that cannot be reached need not be the one we want: whether the package is there is decided by the download.
    await run('apt-get', ['-c', config, '-qq', 'update'], options).catch(() => {});
    await run('apt-get', ['-c', config, '-qq', 'download', 'nats-server'], options);
    const archive = (await readdir(work)).find((name) => name.endsWith('.deb'));
    if (!archive) throw new Error('apt-get brought no package');
    await run('dpkg-deb', ['-x', archive, 'unpacked'], options);
    // Renamed into place whole: another run sees either nothing or the program.
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

/** apt as the machine has it, proxies and keys included, but with lists and cache in the folder and only its release's own sources. */
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
      // Root would otherwise download as a user who may not write here.
      `APT::Sandbox::User "${process.getuid?.() === 0 ? 'root' : ''}";`,
      // A mirror kept at a date is past its own validity; its signature is checked all the same.
      `Acquire::Check-Valid-Until "false";`,
      `Acquire::Languages "none";`,
      `Acquire::http::Timeout "20";`,
      `Acquire::https::Timeout "20";`,
      // What the machine does after an update of its own is not ours to do.
      '#clear APT::Update::Pre-Invoke;',
      '#clear APT::Update::Post-Invoke;',
      '#clear APT::Update::Post-Invoke-Success;',
      '',
    ].join('\n'),
  );
  return config;
}

/** Copies those of the machine's sources, in either of apt's two notations, that serve the release it runs. */
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
