import { outsideAddress, outsideLink, type ProblemCode, problems } from '@corner/contracts';
import { type GatheredFacts, gatherFacts, type ServiceFact } from '@corner/operator';
import { Command } from 'commander';
import { byOption, type ConnectionOptions, connectToServices, servicesOf, withConnectionOptions } from '../operator/connect-to-services.ts';
import { readLogs } from '../operator/read-logs.ts';
import { dataFolder } from '../options.ts';
import { describeFaults, Failure, Misuse } from '../screen/failure.ts';
import { faint, type Output, standardOutput } from '../screen/output.ts';

const explainedKinds = [
  ['an order', 'its id, or its number: S1-1042'],
  ['a collection code', 'four characters: K7PX'],
  ['a customer or a store', 'its id; a store also by its code: S1'],
  ['a voucher', 'its id or its code'],
  ['a request', 'the requestId of a response, or an Idempotency-Key'],
  ['a trace', 'its id, 32 hexadecimal digits'],
  ['a payment', 'the provider’s pi_…, re_…, ch_…, dp_… or du_…, evt_… or acct_…'],
  ['an event or a message', 'its id'],
  ['a place in a queue', 'its entry_id, its appointment, or the id in events'],
  ['an error', 'its code: SLOT_JUST_FILLED'],
] as const;

const formatKinds = (): string => explainedKinds.map(([kind, look]) => `  ${kind.padEnd(22)} ${look}`).join('\n');

export const explainCommand = withConnectionOptions(new Command('explain'))
  .argument('<id>', 'what a person quotes; the list is below')
  .description('Prints what happened, in order of time, from the records of the services. Exit code 1 when nothing is on record.')
  .option('--logs <path>', 'a log file or a folder of them to read too, or - for the standard input (default: the logs of this checkout)')
  .addOption(byOption())
  .addHelpText(
    'after',
    `
What it takes:
${formatKinds()}

Examples:
  npx corner explain S1-1042
  npx corner explain 019a1b2c-3d4e-7f00-8a1b-2c3d4e5f6071
  npx corner explain SLOT_JUST_FILLED
  kubectl -n corner logs -l app.kubernetes.io/name=gateway --tail=-1 | npx corner explain 019a1b2c-3d4e-7f00-8a1b-2c3d4e5f6071 --logs -
`,
  )
  .action(async (id: string, options: ConnectionOptions & { logs?: string; json?: true }) => {
    const output = standardOutput();
    const links = { Trace: outsideAddressOf('TRACE_URL'), Logs: outsideAddressOf('LOG_URL') };
    const code = id.toUpperCase().replaceAll('-', '_');
    if (code in problems) return explainCode(output, code as ProblemCode, options.json === true);
    const logged = await loggedFacts(id, options);
    const { facts: recorded, unreachable } = await recordedFacts(id, options).catch((error: unknown): GatheredFacts => {
      if (logged.length === 0 || !(error instanceof Failure)) throw error;
      return { facts: [], unreachable: servicesOf(options).map((service) => ({ service, error: error.why })) };
    });
    const facts = [...recorded, ...logged].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    if (!options.json) printFacts(output, id, facts, { links, isWhole: unreachable.length === 0 });
    else {
      output.json({ id, facts, unreachable });
      if (facts.length === 0 || unreachable.length > 0) process.exitCode = 1;
      return;
    }
    if (facts.length === 0 && unreachable.length === 0) throw nothingOnRecord(id);
    if (unreachable.length > 0)
      throw new Failure(
        `${unreachable.map(({ service }) => service).join(', ')} did not reply, so there may be more`,
        unreachable[0]?.error ?? '',
        'npx corner status',
      );
  });

async function recordedFacts(id: string, options: ConnectionOptions): Promise<GatheredFacts> {
  await using platform = await connectToServices(options);
  return await gatherFacts(platform, id);
}

async function loggedFacts(id: string, options: ConnectionOptions & { readonly logs?: string }): Promise<readonly ServiceFact[]> {
  if (options.logs === undefined) return options.nats === undefined ? await readLogs(`${dataFolder(options)}/log`, id).catch(() => []) : [];
  return await readLogs(options.logs, id).catch((cause: Error) => {
    throw new Failure('the logs cannot be read', cause.message, 'name a log file, a folder of *.log files, or - for the standard input', {
      cause,
    });
  });
}

const requestOrTrace = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/i;

function nothingOnRecord(id: string): Failure {
  const what = `nothing is on record under ${id}`;
  if (!requestOrTrace.test(id))
    return new Failure(what, 'no service knows such a number, code, key or id', 'npx corner explain --help, which lists what it takes');
  const why = 'a request that succeeded and changed nothing, or that the gateway refused, is in the logs only';
  return new Failure(what, why, `npx corner explain ${id} --logs FOLDER, with the logs of the gateway and the services`);
}

/** Throws a {@link Misuse} for an address without a placeholder for the trace. */
function outsideAddressOf(name: 'TRACE_URL' | 'LOG_URL'): string | undefined {
  const { data, error } = outsideAddress.optional().safeParse(process.env[name] || undefined);
  if (error) throw new Misuse(`${name} is not what it should be`, describeFaults(error), { cause: error });
  return data;
}

interface Printed {
  readonly links: Readonly<Record<string, string | undefined>>;
  readonly isWhole: boolean;
}

function printFacts(output: Output, id: string, facts: readonly ServiceFact[], { links, isWhole }: Printed): void {
  let day = '';
  for (const { at, sentence } of facts) {
    const [date = '', time = ''] = at.split('T');
    if (date !== day) output.write(`  ${date}\n`);
    day = date;
    output.write(`  ${faint(output, time.slice(0, 12).padEnd(12))}  ${sentence}\n`);
  }
  const traces = [...new Map(facts.flatMap(({ trace_id, at }) => (trace_id ? [[trace_id, at] as const] : [])))].slice(0, 5);
  const related = [...new Set(facts.flatMap(({ of }) => of ?? []))].filter((other) => other !== id);
  if (traces.length > 0) output.write(`\n  Traces  ${traces.map(([trace]) => trace).join('\n          ')}\n`);
  for (const [name, address] of Object.entries(links)) {
    const addresses = traces.flatMap(([trace, at]) => outsideLink(address, trace, at) ?? []);
    if (addresses.length > 0) output.write(`\n  ${name.padEnd(6)}  ${addresses.join('\n          ')}\n`);
  }
  if (related.length > 0)
    output.write(
      `\n  More    ${related
        .slice(0, 5)
        .map((other) => `npx corner explain ${other}`)
        .join('\n          ')}\n`,
    );
  if (facts.length > 0 && isWhole) {
    const codes = [...new Set(facts.flatMap(({ sentence }) => / with \d{3} ([A-Z_]+)\b/.exec(sentence)?.[1] ?? []))];
    for (const code of codes.filter((each): each is ProblemCode => each in problems)) {
      output.write('\n');
      explainCode(output, code, false);
    }
  }
}

function explainCode(output: Output, code: ProblemCode, json: boolean): void {
  const { status, final, message, cause, fix } = problems[code];
  if (json) output.json({ code, status, final, message, cause, fix });
  else
    output.write(`  ${code}, HTTP status ${status}${final ? ', final' : ''}\n  means   ${message}\n  cause   ${cause}\n  fix     ${fix}\n`);
}
