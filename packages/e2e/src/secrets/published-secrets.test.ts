import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { services } from '@corner/contracts';
import { checkout } from '@corner/sandbox/system';
import { builtProgram, type TestFolder, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';

type Environment = Readonly<Record<string, string>>;

const withDefaults = (text: string): string => {
  const replaced = text.replaceAll(/\$\{\w+:?-([^{}]*)\}/g, '$1');
  return replaced === text ? text : withDefaults(replaced);
};

interface Part {
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly secrets?: readonly { readonly source: string; readonly target: string }[];
}
const { services: compose, secrets: files }: { services: Record<string, Part>; secrets: Record<string, { readonly file: string }> } = parse(
  withDefaults(readFileSync(`${checkout}/docker-compose.yml`, 'utf8')),
  { merge: true },
);

function published(part: string, name: string, value: string): readonly [string, string] {
  const target = /^\/run\/secrets\/(.+)$/.exec(value)?.[1];
  if (target === undefined) return [name, value];
  const source = compose[part]?.secrets?.find((secret) => secret.target === target)?.source ?? '';
  return [name.replace(/_FILE$/, ''), readFileSync(`${checkout}/${files[source]?.file}`, 'utf8').trim()];
}

const guarded =
  /SECRET|TOKEN|PASSWORD|PEPPER|KEYS?$|KEY_ID$|_TEAM_ID$|_ISSUER$|JWKS|_BASE$|SIMULATOR_URL$|APNS_ADDRESS|DATABASE_URL$|SMTP_URL|BASE_URL|PROVIDERS$/;
/** Settings that can also be given in a file, named by the setting with `_FILE`. */
const secret = /SECRETS?(_KEY)?$|TOKEN$|PASSWORD$|(NFC|SESSION|SIGNING)_KEYS$|DATABASE_URL$|SMTP_URL$/;
const harmless = new Set(['IDEMPOTENCY_KEY', 'CONSOLE_TOKENS', 'TOKEN_SIGNING_KEYS_FILE', 'WEB_PUSH_PUBLIC_KEY']);

const parts = [...services, 'gateway'].flatMap((name) => [
  { part: name, folder: name, program: 'main' },
  { part: `${name}-migrations`, folder: name, program: 'migrate' },
]);
parts.push({ part: 'console', folder: 'console', program: 'development' });

async function start(folder: string, program: string, environment: Environment) {
  const { status, stderr } = spawnSync(process.execPath, [await builtProgram(`services/${folder}/src/${program}.ts`)], {
    cwd: `${checkout}/services/${folder}`,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...environment },
    encoding: 'utf8',
  });
  return { status, stderr };
}

const settingsOf = (part: string): Environment =>
  Object.fromEntries(Object.entries(compose[part]?.environment ?? {}).map(([name, value]) => published(part, name, String(value ?? ''))));

let folder: TestFolder;
beforeAll(async () => {
  folder = await testFolder();
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

/** The password of NATS is left, since a process reads its file at each connection and not at the start. */
const inFiles = (settings: Environment): Environment =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      if (!secret.test(name) || name === 'NATS_PASSWORD') return [name, value];
      const file = `${folder.path}/${name}`;
      writeFileSync(file, `${value}\n`);
      return [`${name}_FILE`, file];
    }),
  );

test.each(parts)(
  '$part refuses every secret, also one in a file, and every simulator that docker-compose.yml publishes, by name',
  async ({ part, folder: service, program }) => {
    const settings = settingsOf(part);
    const expected = Object.keys(settings).filter((name) => settings[name] !== '' && guarded.test(name) && !harmless.has(name));
    expect(expected).not.toEqual([]);
    const { status, stderr } = await start(service, program, { ...inFiles(settings), TRIAL: '' });
    const named = stderr
      .split('\n')
      .flatMap((line) => / {2}(\w+): is a value for development, refused in production; \w+/.exec(line)?.[1] ?? []);
    expect(expected.filter((name) => !named.includes(name))).toEqual([]);
    expect(status).not.toBe(0);
  },
);

test.each(parts)('$part accepts them in a trial, as docker-compose.yml is one', async ({ part, folder: service, program }) => {
  const settings = settingsOf(part);
  expect(settings.TRIAL).toBe('1');
  // A process with one invalid setting exits before it connects to anything.
  const { status, stderr } = await start(service, program, { ...settings, PORT: 'none', MIGRATION_DATABASE_URL: 'none' });
  expect(stderr).toMatch(program === 'migrate' ? /MIGRATION_DATABASE_URL: / : /PORT: /);
  expect(stderr).not.toContain('refused in production');
  expect(status).not.toBe(0);
});
