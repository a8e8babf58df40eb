import { stores } from '@corner/sandbox/demo';
import { messagesFolderIn } from '@corner/sandbox/system';
import { openTags, type TagReading, TapFailed, tagOfStore } from '@corner/sandbox/tags';
import { Command, InvalidArgumentError } from 'commander';
import { dataFolder, withDataFolder } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { standardOutput } from '../../screen/output.ts';
import { findStoreId, namedInDirectory } from '../system/find-running.ts';

interface TapOptions {
  readonly data: string;
  readonly store: string;
  readonly tag?: string;
  readonly counter?: number;
  readonly replay?: true;
  readonly json?: true;
}

export const tapCommand = withDataFolder(new Command('tap'))
  .description('Simulates a tap on an NFC tag that has the development keys, and prints the three values that a phone reads from it.')
  .option('--store <code or uuid>', 'the store of the tag', stores.coffee.code)
  .option('--tag <uid>', 'the UID of the tag, 14 hexadecimal digits (default: the store’s tag in the demo directory)')
  .option('--counter <n>', 'the counter of the tag (default: one more than at the last tap)', parseCounter)
  .option('--replay', 'print the last tap again')
  .option('--json', 'print it as JSON: a body for POST /api/v1/loyalty/stamp-codes')
  .addHelpText(
    'after',
    `
Examples:
  npx corner tap --store S1
  npx corner tap --store S1 --tag 04C0FFEE000001 --counter 7
  npx corner tap --json | curl -s $(npx corner address)/api/v1/loyalty/stamp-codes -H 'content-type: application/json' -d @-

A tag counts its taps. The loyalty service accepts a tap once, and only with a higher counter than the last. The counter is kept in
the data folder; the sandbox page of the console taps the same tags. A tag must be listed in its store's programme: see "tags" in the file of "corner apply".
`,
  )
  .action(async (options: TapOptions) => {
    const [store = options.store] = await namedInDirectory([options.store], dataFolder(options));
    const { store_id, ...reading } = tap({ ...options, store }, process.env);
    const output = standardOutput();
    if (options.json) output.json({ store_id, ...reading });
    else for (const [name, value] of Object.entries(reading)) output.write(`${name.padEnd(16)} ${value}\n`);
  });

function parseCounter(text: string): number {
  if (!/^\d{1,8}$/.test(text) || Number(text) > 0xff_ff_ff) throw new InvalidArgumentError('A counter is a number from 0 to 16777215.');
  return Number(text);
}

/** Throws a {@link Failure} in production, for an unknown store, an invalid UID, and a replay before the first tap. */
export function tap({ data, store, tag, counter, replay }: TapOptions, env: NodeJS.ProcessEnv): TagReading & { readonly store_id: string } {
  const what = 'no tag was tapped';
  if (env.NODE_ENV === 'production') throw new Failure(what, 'the development keys are not valid in production', 'tap a real tag');
  const dataDir = dataFolder({ data });
  try {
    const { storeId, uid } = tagOfStore(findStoreId(store, dataDir, what), tag);
    return { store_id: storeId, ...openTags(messagesFolderIn(dataDir), env).tap(uid, { counter, replay }) };
  } catch (error) {
    if (error instanceof TapFailed) throw new Failure(what, error.message, error.fix);
    throw error;
  }
}
