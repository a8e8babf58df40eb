import { existsSync, readFileSync } from 'node:fs';
import {
  keptReleases,
  type Part,
  parts,
  type ReleaseFolders,
  readRelease,
  releasedVersions,
  type Surface,
  surfaceOf,
  whyNotDeploy,
} from '@corner/compatibility';
import { Command } from 'commander';
import { z } from 'zod';
import { Failure } from '../screen/failure.ts';
import { standardOutput } from '../screen/output.ts';

interface Options {
  readonly to: string;
  readonly deployed: string;
  readonly releases: string;
  readonly json?: true;
}

const Deployed = z.record(z.string(), z.partialRecord(z.enum(parts), z.string()));

export const canIDeployCommand = new Command('can-i-deploy')
  .description(
    'Says whether a version of a service, the gateway or the console may be deployed beside what runs in an environment. Exit code 1 when it may not.',
  )
  .argument('<service@version>', 'a released version, or orders@next for the one of this checkout')
  .option('--to <environment>', 'where it is to run', 'production')
  .option('--deployed <file>', 'the file that says which versions run where', 'deploy/deployed.json')
  .option('--releases <folder>', 'the folder of what was released', keptReleases.files)
  .option('--json', 'print it as JSON')
  .addHelpText('after', '\nExample:\n  npx corner can-i-deploy orders@next --to production\n')
  .action((wanted: string, { to, deployed: file, releases: files, json }: Options) => {
    const releases = { ...keptReleases, files };
    const candidate = surfaceNamed(wanted, releases);
    const running = runningIn(file, to, releases);
    const breaks = whyNotDeploy(candidate, running);
    const output = standardOutput();
    const beside = running.map(({ service, version }) => `${service} ${version}`);
    if (json) output.json({ deployable: breaks.length === 0, service: candidate.service, version: candidate.version, to, beside, breaks });
    else if (breaks.length === 0) output.write(`yes: ${wanted} may be deployed to ${to} beside ${beside.join(', ') || 'nothing'}\n`);
    else output.write(`no: ${wanted} may not be deployed to ${to}\n${breaks.map((one) => `  ${one}\n`).join('')}`);
    if (breaks.length > 0) process.exitCode = 1;
  });

const refusal = 'nothing was compared';

function surfaceNamed(wanted: string, releases: ReleaseFolders): Surface {
  const [name, version = ''] = wanted.split('@');
  const service = parts.find((one) => one === name);
  if (!service || !version)
    throw new Failure(refusal, `${wanted} names no version of a service`, `one of ${parts.join(', ')}, as orders@1.0.0`);
  return version === 'next' ? surfaceOf(service, 'next') : surfaceReleased(service, version, releases);
}

function surfaceReleased(service: Part, version: string, releases: ReleaseFolders): Surface {
  const release = readRelease(service, version, releases);
  if (release) return release;
  throw new Failure(
    refusal,
    `${service} ${version} was not released`,
    `one of ${[...releasedVersions(service, releases), 'next'].join(', ')}`,
  );
}

function runningIn(file: string, environment: string, releases: ReleaseFolders): readonly Surface[] {
  if (!existsSync(file))
    throw new Failure(refusal, `there is no file ${file}`, 'write {"production": {"orders": "1.0.0"}} with the versions that run');
  const parsed = Deployed.safeParse(readJson(file));
  if (!parsed.success)
    throw new Failure(
      refusal,
      `${file} says something else than which version of a service runs where`,
      'write {"production": {"orders": "1.0.0"}}',
    );
  const versions = parsed.data[environment];
  if (!versions) throw new Failure(refusal, `${file} has no environment ${environment}`, `one of ${Object.keys(parsed.data).join(', ')}`);
  return parts.flatMap((service) => {
    const version = versions[service];
    return version === undefined ? [] : [surfaceReleased(service, version, releases)];
  });
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Failure(refusal, `${file} is no JSON`, 'write {"production": {"orders": "1.0.0"}}');
  }
}
