import { type RpcOutput, verifyDataAccess } from '@corner/contracts';
import { Command } from 'commander';
import {
  byOption,
  type ConnectionOptions,
  connectToServices,
  type Services,
  withConnectionOptions,
} from '../operator/connect-to-services.ts';
import { green, type Output, red, standardOutput } from '../screen/output.ts';

type Part = NonNullable<RpcOutput<typeof verifyDataAccess>['part']>;

interface Options extends ConnectionOptions {
  readonly by: string;
  readonly json?: true;
  readonly head?: readonly string[];
}

const verifyCommand = withConnectionOptions(new Command('verify'))
  .description(
    'Walks the record of who read whose data and says the first row of each chain that was changed or removed. Exit code 1 when there is one, or when a given head is not in the record.',
  )
  .option('--head <hash...>', 'heads that were kept from earlier: the record must still hold them, or its end was cut')
  .addOption(byOption())
  .addHelpText('after', '\nExamples:\n  npx corner audit verify\n  npx corner audit verify --head 5b0c…\n')
  .action(async (options: Options) => {
    await using services = await connectToServices(options);
    const { chains, missing } = await verify(services, options);
    const output = standardOutput();
    if (options.json) output.json({ chains, missing });
    else {
      for (const chain of chains) output.write(lineOf(output, chain));
      for (const head of missing)
        output.write(`  ${red(output, 'no')}  no row has the kept head ${head}: rows were cut off or written anew\n`);
      if (chains.length === 0) output.write('  nothing was read yet\n');
    }
    if (missing.length > 0 || chains.some(({ broken }) => broken !== null)) process.exitCode = 1;
  });

async function verify({ call }: Services, { by, head = [] }: Options): Promise<{ chains: Part[]; missing: string[] }> {
  const chains: Part[] = [];
  const missing = new Set(head);
  for (let after: RpcOutput<typeof verifyDataAccess>['next'] | undefined; after !== null; ) {
    const reply: RpcOutput<typeof verifyDataAccess> = await call(verifyDataAccess, {
      by,
      heads: [...missing],
      ...(after ? { after } : {}),
    });
    if (reply.part?.ended) chains.push(reply.part);
    for (const found of reply.found) missing.delete(found);
    after = reply.next;
  }
  return { chains, missing: [...missing] };
}

function lineOf(output: Output, { store_id, rows, head, broken }: Part): string {
  const chain = store_id === null ? 'the platform' : `store ${store_id}`;
  if (!broken) return `  ${green(output, 'ok')}  ${chain}: ${rows} rows, head ${head}\n`;
  const when = broken.at === null ? '' : `, read at ${broken.at},`;
  return `  ${red(output, 'no')}  ${chain}: row ${broken.number}${when} ${broken.why === 'missing' ? 'is missing' : 'is not as it was written'}\n`;
}

export const auditCommand = new Command('audit')
  .description('Shows that the record of who read whose data is as it was written.')
  .addHelpText('after', '\nExample:\n  npx corner audit verify\n')
  .addCommand(verifyCommand);
