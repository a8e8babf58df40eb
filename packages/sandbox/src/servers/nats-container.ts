import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const run = promisify(execFile);

export interface NatsContainer {
  readonly image: string;
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly monitor: number;
  readonly logFile: string;
  readonly configured: boolean;
}

export async function startNatsContainer({
  image,
  name,
  folder,
  port,
  monitor,
  logFile,
  configured,
}: NatsContainer): Promise<ServerProcess> {
  const present = await run('docker', ['image', 'inspect', image]).then(
    () => true,
    () => false,
  );
  if (!present) await run('docker', ['pull', image], { timeout: 180_000 });
  const user = process.getuid && process.getgid ? ['--user', `${process.getuid()}:${process.getgid()}`] : [];
  const published = ['--publish', `127.0.0.1:${port}:4222`, '--publish', `127.0.0.1:${monitor}:8222`];
  const place = [...published, '--volume', `${folder}:/data`];
  const settings = configured ? ['-c', '/data/nats.conf'] : [];
  // Puts the folder on the command line, where endLeftover looks for it.
  const mark = ['--label', folder];
  const client = startServerProcess({
    program: 'docker',
    args: ['run', '--rm', '--name', name, ...mark, ...user, ...place, image, '-n', name, '-js', '-sd', '/data', '-m', '8222', ...settings],
    env: dockerEnv(),
    logFile,
    stopSignal: 'SIGTERM',
  });
  await writeFile(`${folder}/nats.pid`, String(client.pid));
  return {
    pid: client.pid,
    exited: client.exited,
    get ended() {
      return client.ended;
    },
    end: (signal) => client.end(signal),
    kill() {
      client.ref();
      spawn('docker', ['kill', name], { stdio: 'ignore', env: dockerEnv() }).once('error', client.kill);
    },
    ref: client.ref,
  };
}

const dockerEnv = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && /^(PATH|HOME|DOCKER_)/.test(name) ? [[name, value] as const] : [],
    ),
  );
