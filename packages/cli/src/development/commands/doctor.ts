import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { judgeVersion } from '@corner/sandbox/servers';
import { isAlive, lookForNats, lookForPostgres, preferredPorts, readLedger } from '@corner/sandbox/system';
import { Command } from 'commander';
import { checkout, dataFolder, withDataFolder } from '../../options.ts';
import { green, type Output, red, standardOutput } from '../../screen/output.ts';
import { portOwner } from '../system/port-owner.ts';

export const doctorCommand = withDataFolder(new Command('doctor'))
  .description('Checks Node, ports, Postgres, NATS and disk. Changes nothing. Exit code 1 when something is missing.')
  .option('--json', 'print the findings as JSON')
  .addHelpText('after', '\nExample:\n  npx corner doctor\n')
  .action(async (options: { data: string; json?: true }) => {
    const output = standardOutput();
    const findings = await examine(dataFolder(options));
    if (options.json) output.json(findings);
    else for (const finding of findings) output.write(`${lineOf(output, finding)}\n`);
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
  });

interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix?: string;
}

const neededDiskBytes = 1024 ** 3;

async function examine(dataDir: string): Promise<Finding[]> {
  return [
    nodeFinding(),
    ...portFindings(dataDir),
    await findingOf('postgres', lookForPostgres(process.env), 'DATABASE_URL'),
    await findingOf('nats', lookForNats(process.env), 'NATS_URL'),
    await diskFinding(),
  ];
}

function nodeFinding(): Finding {
  const wanted = Object.values<string>(JSON.parse(readFileSync(`${checkout}/package.json`, 'utf8')).optionalDependencies)[0] ?? '';
  const ok = process.versions.node === wanted;
  const detail = `${process.versions.node} (${process.platform} ${process.arch})`;
  return { what: 'node', ok, detail, ...(ok ? {} : { fix: `the project installs ${wanted}: npx --yes pnpm@12.21.0 install` }) };
}

function portFindings(dataDir: string): Finding[] {
  const ledger = readLedger(dataDir);
  const ours = new Map(
    Object.entries(ledger ? { corner: ledger.supervisor, ...ledger.processes } : {}).flatMap(([name, entry]) =>
      isAlive(entry) ? [[entry.pid, name] as const] : [],
    ),
  );
  return Object.entries(preferredPorts).map(([name, port]) => {
    const owner = portOwner(port);
    const detail =
      owner === null ? 'free' : owner.pid !== null && ours.has(owner.pid) ? `used by Corner: ${ours.get(owner.pid)}` : describeOwner(owner);
    return { what: `port ${port}`, ok: true, detail: `${name.padEnd(14)}${detail}` };
  });
}

const describeOwner = ({ pid, command }: { readonly pid: number | null; readonly command: string }): string =>
  `in use by ${pid === null ? command : `process ${pid}: ${command.slice(0, 60)}`}; another port will be used`;

async function findingOf(what: 'postgres' | 'nats', check: Promise<string>, setting: 'DATABASE_URL' | 'NATS_URL'): Promise<Finding> {
  try {
    const detail = await check;
    const version = /^\d+(\.\d+)+/.exec(detail)?.[0];
    const { supported, remark } = version ? judgeVersion(what, version) : { supported: true, remark: null };
    return {
      what,
      ok: supported,
      detail: remark ? `${detail}; ${remark}` : detail,
      ...(supported ? {} : { fix: 'docs/servers.md says which versions are supported' }),
    };
  } catch (error) {
    const [detail = '', ...fix] = (error instanceof Error ? error.message : String(error)).split('\n');
    if (process.env[setting])
      return {
        what,
        ok: false,
        detail: `${setting}: ${detail}`,
        fix: `correct it or start that server, or unset ${setting}: Corner then starts its own`,
      };
    return { what, ok: false, detail, ...(fix.length > 0 ? { fix: fix.join('\n') } : {}) };
  }
}

async function diskFinding(): Promise<Finding> {
  const { bavail, bsize } = await statfs(checkout);
  const free = bavail * bsize;
  const detail = `${(free / 1024 ** 3).toFixed(1)} GB free at ${checkout}`;
  return free > neededDiskBytes
    ? { what: 'disk', ok: true, detail }
    : { what: 'disk', ok: false, detail, fix: 'free some space, or: npm run reset' };
}

function lineOf(output: Output, { what, ok, detail, fix }: Finding): string {
  const line = `  ${ok ? green(output, 'ok') : red(output, 'no')}  ${what.padEnd(12)}${detail}`;
  return fix ? `${line}\n      ${fix.split('\n').join('\n      ')}` : line;
}
