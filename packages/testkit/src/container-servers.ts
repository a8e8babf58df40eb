import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runWhenThisProcessEnds } from '@corner/sandbox/servers';
import { connect } from '@nats-io/transport-node';
import type { GenericContainer, StartedTestContainer } from 'testcontainers';
import { withClient } from './run-database.ts';
import { until } from './until.ts';

const run = promisify(execFile);

const startMs = 60_000;
const label = 'corner.tests.folder';

export interface DockerSettings {
  /** `off`: tests do not use Docker even where it is present. */
  readonly CORNER_TEST_DOCKER?: string | undefined;
}

export async function dockerAnswers({ CORNER_TEST_DOCKER }: DockerSettings): Promise<boolean> {
  if (CORNER_TEST_DOCKER === 'off') return false;
  return await run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: 5_000 }).then(
    () => true,
    () => false,
  );
}

export async function containerPostgres(folder: string, image: string): Promise<PickedServer> {
  const password = randomBytes(24).toString('base64url');
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off', 'max_connections=300', 'jit=off'];
  const container = await startContainer(folder, image, (made) =>
    made
      .withEnvironment({ POSTGRES_PASSWORD: password })
      .withCommand(['postgres', ...settings.flatMap((setting) => ['-c', setting])])
      .withTmpFs({ '/var/lib/postgresql': 'rw' })
      .withExposedPorts(5432),
  );
  const url = `postgres://postgres:${password}@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
  return await whenItAnswers(container, url, 'Postgres', () =>
    withClient(url, async (client) => (await client.query('show server_version')).rows[0].server_version),
  );
}

export async function containerNats(folder: string, image: string): Promise<PickedServer> {
  const container = await startContainer(folder, image, (made) =>
    made.withCommand(['-js', '-sd', '/data']).withTmpFs({ '/data': 'rw' }).withExposedPorts(4222),
  );
  const servers = `${container.getHost()}:${container.getMappedPort(4222)}`;
  return await whenItAnswers(container, `nats://${servers}`, 'NATS', async () => {
    const connection = await connect({ servers, reconnect: false, timeout: 2_000 });
    const version = connection.info?.version ?? '';
    await connection.close();
    return version;
  });
}

export async function removeContainersOf(folder: string): Promise<void> {
  if (!existsSync(noteOf(folder))) return;
  const { stdout } = await run('docker', ['ps', '--all', '--quiet', '--filter', `label=${label}=${folder}`]);
  const ids = stdout.split('\n').filter(Boolean);
  if (ids.length > 0) await run('docker', ['rm', '--force', '--volumes', ...ids]);
}

const noteOf = (folder: string): string => join(folder, 'containers');

async function startContainer(
  folder: string,
  image: string,
  prepare: (container: GenericContainer) => GenericContainer,
): Promise<StartedTestContainer> {
  await writeFile(noteOf(folder), '');
  // Testcontainers' own cleaner would need one more image and the engine's socket. Our guard and sweep do its work.
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true';
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = prepare(new GenericContainer(image))
    .withLabels({ [label]: folder })
    .withWaitStrategy(Wait.forLogMessage(/ready/i));
  return await inTime(container.withStartupTimeout(startMs).start());
}

/** Fetching an image has no time limit of its own. A container that starts too late is stopped again. */
async function inTime(starting: Promise<StartedTestContainer>): Promise<StartedTestContainer> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`it was not up after ${startMs / 1_000} s`));
    void starting.then((late) => late.stop()).catch(() => {});
  }, startMs);
  try {
    return await Promise.race([starting, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

async function whenItAnswers(
  container: StartedTestContainer,
  url: string,
  server: string,
  askVersion: () => Promise<string>,
): Promise<PickedServer> {
  const guard = runWhenThisProcessEnds(['docker', 'rm', '--force', '--volumes', container.getId()]);
  const stop = async () => {
    guard.cancel();
    await container.stop({ timeout: 0 });
  };
  try {
    const version = await until(askVersion, { describe: `an answer of ${server} in its container`, timeoutMs: startMs });
    return { url, description: `${server} ${/^\S+/.exec(version)?.[0]} in a container`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export interface PickedServer {
  readonly url: string;
  readonly description: string;
  stop(): Promise<void>;
}
