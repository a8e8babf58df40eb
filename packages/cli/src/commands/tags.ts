import { Command } from 'commander';
import { Failure } from '../screen/failure.ts';
import { green, standardOutput } from '../screen/output.ts';
import { openReader } from '../tags/open-reader.ts';
import type { Reading, TagKeys } from '../tags/tag-keys.ts';
import { readTagKeys } from '../tags/tag-keys.ts';
import { entryOf, readTag, writeTag } from '../tags/write-tag.ts';

interface Options {
  readonly reader?: string;
  readonly json?: true;
}

interface WriteOptions extends Options {
  readonly url: string;
  readonly keyVersion?: string;
  readonly overwrite?: boolean;
}

const withReader = (command: Command): Command =>
  command
    .option('--reader <name>', 'a part of the reader’s name, as pcscd has it (default: the first)')
    .option('--json', 'print only the entry, as JSON');

const write = withReader(new Command('write'))
  .description('Writes keys and an address into the NTAG 424 DNA on the reader, and prints its entry in the store’s programme.')
  .requiredOption('--url <address>', 'what a tap opens; key_version, picc_data and cmac are added to it')
  .option('--key-version <name>', 'which version of NFC_KEYS the tag gets (default: the only one)')
  .option('--overwrite', 'also write a tag of ours that holds something else')
  .addHelpText(
    'after',
    `
Example:
  NFC_KEYS_FILE=/run/secrets/nfc-keys npx corner tags write --url 'https://shop.example/t?store=S1'

NFC_KEYS and NFC_SYSTEM_ID are the settings of the loyalty service, also as NAME_FILE. A tag that is not empty is left as it is.
A run that was interrupted is finished by running it again with the same tag.
`,
  )
  .action(async ({ url, keyVersion, overwrite = false, ...options }: WriteOptions) => {
    const keys = readTagKeys(process.env);
    const version = versionOf(keys, keyVersion);
    await using reader = await openReader(options.reader, process.env);
    const written = await writeTag(reader.transceive, { keys, keyVersion: version, url, overwrite });
    print(written, options, 'written, and read back as a phone does');
    if (written.countedTo !== null)
      process.stderr.write(
        `  note  it counts its taps from 0 again: if it was in use, loyalty refuses them until they are above ${written.countedTo}\n`,
      );
  });

const check = withReader(new Command('check'))
  .description('Reads the tag on the reader as a phone does, and verifies its tap by NFC_KEYS. It counts as a tap.')
  .addHelpText('after', '\nExample:\n  NFC_KEYS_FILE=/run/secrets/nfc-keys npx corner tags check\n')
  .action(async (options: Options) => {
    const keys = readTagKeys(process.env);
    await using reader = await openReader(options.reader, process.env);
    print(await readTag(reader.transceive, keys), options, 'valid');
  });

export const tagsCommand = new Command('tags')
  .description('Writes the NFC tags of stores by a PC/SC reader, and checks them.')
  .addCommand(write)
  .addCommand(check);

function versionOf({ versions }: TagKeys, given: string | undefined): string {
  const names = Object.keys(versions);
  const chosen = given ?? (names.length === 1 ? names[0] : undefined);
  if (chosen !== undefined && names.includes(chosen)) return chosen;
  const why = given === undefined ? 'NFC_KEYS has several versions, or none' : `NFC_KEYS has no version ${given}`;
  throw new Failure('no tag was written', why, `name one with --key-version: ${names.join(', ')}`);
}

function print(reading: Reading, { json }: Options, done: string): void {
  const output = standardOutput();
  const entry = entryOf(reading);
  if (json) output.json(entry);
  else {
    output.write(`  ${green(output, 'ok')}  ${entry.uid} is ${done}: key version ${entry.key_version}, tap ${reading.counter}\n\n`);
    output.write(`Its entry in "tags" of the store's programme:\n  ${JSON.stringify(entry)}\n`);
  }
}
