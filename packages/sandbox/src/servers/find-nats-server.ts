import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isOlder, tested } from './tested-versions.ts';
import { unpackNatsServer } from './unpack-nats-server.ts';

export type NatsServer =
  | { readonly kind: 'program'; readonly path: string; readonly version: string; readonly from: string }
  | { readonly kind: 'image'; readonly image: string; readonly from: string };

export interface NatsSettings {
  readonly NATS_SERVER?: string | undefined;
  readonly PATH?: string | undefined;
}

export type Progress = (words: string) => void;

export const defaultCacheFolder = resolve(import.meta.dirname, '../../../../.corner/cache');

const [oldest] = tested.nats;
export const natsImage = 'nats:2.15.1-alpine';
const run = promisify(execFile);

/** Finds a NATS server: NATS_SERVER, the PATH, the cache, the distribution's package, Docker. Throws one error that lists each attempt. */
export async function findNatsServer(
  cacheFolder: string = defaultCacheFolder,
  progress: Progress = () => {},
  { NATS_SERVER: named, PATH: path = '' }: NatsSettings = process.env,
): Promise<NatsServer> {
  if (named) return await asProgram(named, 'NATS_SERVER');
  const reasons: string[] = ['NATS_SERVER names no server.'];
  const cached = join(cacheFolder, 'nats-server');
  const ways: readonly (readonly [name: string, () => Promise<NatsServer>])[] = [
    ['On the PATH', () => onPath(path)],
    ['In the cache', () => asProgram(cached, 'cache')],
    ['From the distribution', () => fromDistribution(cached, progress, path)],
    ['With Docker', () => withDocker(path)],
  ];
  for (const [name, way] of ways) {
    try {
      return await way();
    } catch (error) {
      reasons.push(`${name}: ${describeError(error)}`);
    }
  }
  throw new Error(
    `No NATS server was found (${oldest} or newer).\n${reasons.map((reason) => `  ${reason}`).join('\n')}\n` +
      'Any one of these helps: set NATS_URL to a NATS with JetStream that runs already; set NATS_SERVER to the path of a ' +
      'nats-server; install nats-server (Debian and Ubuntu: apt-get install nats-server, macOS: brew install nats-server); start Docker.',
  );
}

async function asProgram(path: string, from: string): Promise<NatsServer> {
  await access(path, constants.X_OK).catch(() => {
    throw new Error(`${path} is not an executable program.`);
  });
  const { stdout, stderr } = await run(path, ['--version'], { timeout: 10_000 });
  const [, version = ''] = /v?(\d+\.\d+\.\d+\S*)/.exec(`${stdout}${stderr}`) ?? [];
  if (!version) throw new Error(`${path} reports no version: it is not a nats-server.`);
  if (isOlder(version, oldest)) throw new Error(`${path} is version ${version}; Corner needs ${oldest} or newer.`);
  return { kind: 'program', path: resolve(path), version, from };
}

async function onPath(path: string): Promise<NatsServer> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const program = join(folder, 'nats-server');
    const runs = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return await asProgram(program, 'PATH');
  }
  throw new Error('there is no nats-server.');
}

async function fromDistribution(target: string, progress: Progress, path: string): Promise<NatsServer> {
  progress('getting nats-server from the distribution');
  await unpackNatsServer({ target, path });
  return await asProgram(target, 'distribution');
}

async function withDocker(path: string): Promise<NatsServer> {
  await run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: 5_000, env: { ...process.env, PATH: path } });
  return { kind: 'image', image: natsImage, from: 'Docker' };
}

function describeError(error: unknown): string {
  const { code, path, stderr, message } = error as { code?: unknown; path?: string; stderr?: string; message: string };
  if (code === 'ENOENT' && path) return `there is no ${path}.`;
  return stderr?.trim().split('\n').at(-1) || message.split('\n')[0] || 'it failed.';
}
