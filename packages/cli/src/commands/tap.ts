import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stores, type TagReading, tags, tapTag } from '@corner/sandbox';
import { Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { dataFolder, withDataFolder } from '../data-folder.ts';
import { Failure } from '../failure.ts';
import { findStoreId } from '../find-store.ts';
import { standardOutput } from '../output.ts';

interface TapOptions {
  readonly data: string;
  readonly store: string;
  readonly tag?: string;
  readonly counter?: number;
  readonly replay?: true;
  readonly json?: true;
}

/** `corner tap`: what a phone would read from a tag at a store, which loyalty takes for the true thing. */
export const tapCommand = withDataFolder(new Command('tap'))
  .description('Taps a tag written with the development keys, and prints the three values a phone reads from it.')
  .option('--store <code or uuid>', 'where the tag is', stores.coffee.code)
  .option('--tag <uid>', 'its UID, 14 hexadecimal digits (default: the tag the demo names for the store)')
  .option('--counter <n>', 'how often it was tapped (default: once more than before)', counted)
  .option('--replay', 'the very tap before once more')
  .option('--json', 'print it as JSON: a body for POST /api/v1/loyalty/stamp-codes')
  .addHelpText(
    'after',
    `
Examples:
  npx corner tap --store S1
  npx corner tap --store S1 --tag 04C0FFEE000001 --counter 7
  npx corner tap --json | curl -s http://127.0.0.1:4000/api/v1/loyalty/stamp-codes -H 'content-type: application/json' -d @-

A tag counts its taps, and loyalty takes no tap it saw before or that is older than the last. The count is kept in the data folder.
A tag must be named by its store's programme: see tags in the file of "corner apply".
`,
  )
  .action(async (options: TapOptions) => {
    const { store_id, ...said } = tap(options, process.env);
    const output = standardOutput();
    if (options.json) output.json({ store_id, ...said });
    else for (const [name, value] of Object.entries(said)) output.write(`${name.padEnd(16)} ${value}\n`);
  });

function counted(text: string): number {
  if (!/^\d{1,8}$/.test(text) || Number(text) > 0xff_ff_ff) throw new InvalidArgumentError('A counter is 0 to 16777215.');
  return Number(text);
}

const uidOf = (text: string): string => {
  if (!/^[0-9a-f]{14}$/i.test(text))
    throw new Failure('nothing was tapped', `${text} is no UID of a tag`, 'give 14 hexadecimal digits, such as 04C0FFEE000001');
  return text.toUpperCase();
};

const Taps = z.record(
  z.string(),
  z.object({ counter: z.int(), said: z.object({ nfc_picc_data: z.string(), nfc_cmac: z.string(), nfc_key_version: z.string() }) }),
);

/** Taps a tag. Throws a {@link Failure} for a store or a UID that is none, in production, and for a replay of nothing. */
export function tap(options: TapOptions, env: NodeJS.ProcessEnv): TagReading & { readonly store_id: string } {
  const nothing = 'nothing was tapped';
  if (env.NODE_ENV === 'production') throw new Failure(nothing, 'the development keys are no tag’s in production', 'tap a real tag');
  const dataDir = dataFolder(options);
  const store_id = findStoreId(options.store, dataDir, nothing);
  const known = tags.find(({ storeId }) => storeId === store_id)?.uid;
  const uid = options.tag ?? known;
  if (!uid) throw new Failure(nothing, `the demo has no tag at ${options.store}`, 'name one: --tag, 14 hexadecimal digits');
  const file = `${dataDir}/taps.json`;
  const taps = readTaps(file);
  const before = taps[uidOf(uid)];
  if (options.replay) {
    if (!before) throw new Failure(nothing, `${uid} was not tapped yet`, 'tap it once without --replay');
    return { store_id, ...before.said };
  }
  const counter = options.counter ?? (before ? before.counter + 1 : 1);
  const said = tapTag(uidOf(uid), counter, env);
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(
    file,
    `${JSON.stringify({ ...taps, [uidOf(uid)]: { counter: Math.max(counter, before?.counter ?? 0), said } }, null, 2)}\n`,
    { mode: 0o600 },
  );
  return { store_id, ...said };
}

function readTaps(file: string): z.output<typeof Taps> {
  try {
    return Taps.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
