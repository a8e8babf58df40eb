import { beginErasure, eraseAgain, listErasures, type RpcOutput } from '@corner/contracts';
import { Command } from 'commander';
import { confirm } from '../operator/confirm.ts';
import {
  byOption,
  type ConnectionOptions,
  connectToServices,
  type Services,
  withConnectionOptions,
} from '../operator/connect-to-services.ts';
import { Failure } from '../screen/failure.ts';
import { faint, green, type Output, standardOutput } from '../screen/output.ts';

interface Options extends ConnectionOptions {
  readonly by: string;
  readonly json?: true;
  readonly yes?: true;
}

type Erasure = RpcOutput<typeof listErasures>['erasures'][number];

const listCommand = withConnectionOptions(new Command('list'))
  .description('Lists the erasures that stores asked for and those under way: customer, state, receipt.')
  .option('--all', 'also those that are done')
  .addOption(byOption())
  .action(async (options: Options & { readonly all?: true }) => {
    await using services = await connectToServices(options);
    const erasures = await allErasures(services, options);
    const output = standardOutput();
    if (options.json) {
      output.json(erasures.map(({ customer_id, certificate }) => ({ customer_id, state: certificate.state })));
      return;
    }
    for (const { customer_id, receipt, certificate } of erasures)
      output.write(`  ${customer_id}  ${certificate.state.padEnd(9)}  ${certificate.requested_at}  receipt ${receipt}\n`);
  });

async function allErasures({ call }: Services, { by, all }: Options & { readonly all?: true }): Promise<Erasure[]> {
  const found: Erasure[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page: RpcOutput<typeof listErasures> = await call(listErasures, { by, all: all === true, ...(after ? { after } : {}) });
    found.push(...page.erasures);
    after = page.next;
  }
  return found;
}

const showCommand = withConnectionOptions(new Command('show'))
  .argument('<id>', 'the customer, or the receipt')
  .description('Shows the certificate of an erasure: what each service did, and what it keeps and why.')
  .addOption(byOption())
  .action(async (id: string, options: Options) => {
    await using services = await connectToServices(options);
    const { erasures } = await services.call(listErasures, { of: id, by: options.by });
    const [erasure] = erasures;
    if (!erasure) throw new Failure('nothing was found', `no erasure has the customer or receipt ${id}`, 'npx corner erase list --all');
    print(standardOutput(), erasure, options);
  });

const againCommand = withConnectionOptions(new Command('again'))
  .description('Has every service erase again whom it knows to be erased: after a restore without the stream of the directory.')
  .requiredOption('--since <instant>', 'erasures that were begun then or later: the moment of the backup, as 2026-11-22T14:05:00Z')
  .addOption(byOption())
  .action(async (options: Options & { readonly since: string }) => {
    await using services = await connectToServices(options);
    let erased = 0;
    for (let after: string | null | undefined; after !== null; ) {
      const page: RpcOutput<typeof eraseAgain> = await services.call(eraseAgain, {
        since: options.since,
        by: options.by,
        ...(after ? { after } : {}),
      });
      erased += page.erased;
      after = page.next;
    }
    const output = standardOutput();
    if (options.json) output.json({ erased });
    else output.write(`  ${green(output, 'ok')}  ${erased} erasures are published again\n`);
  });

export const eraseCommand = withConnectionOptions(new Command('erase'))
  .argument('<customer>', 'the id of the customer')
  .description('Erases a customer in every service. It cannot be undone.')
  // Otherwise it would take --data and --nats of its subcommands as its own.
  .enablePositionalOptions()
  .option('--yes', 'do not ask')
  .addOption(byOption())
  .addHelpText(
    'after',
    `
Examples:
  npx corner erase 0190a000-0000-7000-8000-0000000000a5
  npx corner erase list
  npx corner erase show 0190a000-0000-7000-8000-0000000000a5
`,
  )
  .action(async (id: string, options: Options) => {
    await confirm(`Erase the customer ${id} everywhere? It cannot be undone.`, options);
    await using services = await connectToServices(options);
    print(standardOutput(), await services.call(beginErasure, { customer_id: id, by: options.by }), options);
  })
  .addCommand(listCommand)
  .addCommand(showCommand)
  .addCommand(againCommand);

function print(output: Output, erasure: Erasure, { json }: Options): void {
  if (json) {
    output.json(erasure);
    return;
  }
  const { customer_id, receipt, certificate } = erasure;
  output.write(
    `  ${customer_id}  ${certificate.state}, asked for by ${certificate.requested_by} at ${certificate.requested_at}\n  receipt ${receipt}\n`,
  );
  for (const { service, state, steps, kept } of certificate.services) {
    output.write(`\n  ${service}: ${state}\n`);
    for (const { at, what } of steps) output.write(`    ${at}  ${what}\n`);
    for (const { what, why, how_long } of kept) output.write(`${faint(output, `    kept: ${what} ${how_long} ${why}`)}\n`);
  }
}
