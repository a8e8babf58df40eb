import { randomBytes } from 'node:crypto';
import { Failure } from '../screen/failure.ts';
import { authenticate, type ChipSession, changeKey, sendIso, sendPlain, type Transceive } from './chip-session.ts';
import { type TagContent, tagContent, urlIn } from './tag-content.ts';
import { factoryKey, type Reading, type TagKeys, tagKey, verifyReading } from './tag-keys.ts';

const what = 'the tag was not written';
const none = new Uint8Array();
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

interface Writing {
  readonly keys: TagKeys;
  readonly keyVersion: string;
  readonly url: string;
  readonly overwrite: boolean;
}

interface Written extends Reading {
  /** Null unless the counter began again because of new settings. */
  readonly countedTo: number | null;
}

/** The possible keys of the chip are the factory's, and its own of each of our versions, the wanted one first. */
interface Chip {
  readonly card: Transceive;
  readonly uid: Uint8Array;
  readonly keysOf: (number: number, first?: string) => readonly Candidate[];
}

interface Candidate {
  readonly name: string;
  readonly key: Uint8Array;
}

/**
 * Writes keys and address into the chip on the reader, and reads it back as a phone does. Each step checks the chip's state, so an
 * interrupted run is finished by running it again: key 0 changes last, and until then the chip is open with the factory's. Throws a {@link
 * Failure} for a chip with unknown keys, and for one that is not empty, unless `overwrite`.
 */
export async function writeTag(card: Transceive, { keys, keyVersion, url, overwrite }: Writing): Promise<Written> {
  const wanted = tagContent(url, keyVersion);
  const before = await readAsPhone(card, keys);
  await selectApplication(card);
  const uid = await readUid(card);
  const own = Object.keys(keys.versions).sort((a, b) => Number(b === keyVersion) - Number(a === keyVersion));
  const keysOf: Chip['keysOf'] = (number, first = 'factory') => {
    const all = [
      { name: 'factory', key: factoryKey },
      ...own.map((name) => ({ name: `version ${name}`, key: tagKey(keys, name, uid, number) })),
    ];
    return all.sort((a, b) => Number(b.name === first) - Number(a.name === first));
  };
  const chip: Chip = { card, uid, keysOf };
  const settings = await readSettings(card);
  const main = await findKey(chip, 0);
  if (!main) throw new Failure(what, 'its key 0 is not the factory’s and none of NFC_KEYS: another system wrote it', 'use another tag');
  const target = `version ${keyVersion}`;
  const state = { settings, keyName: main.name, target };
  await writeContent(await open(chip, 0, main.key), wanted, { ...state, overwrite });
  for (const number of [4, 3, 2, 1, 0]) await ensureKey(chip, number, main, target);
  const reading = await readTag(card, keys, uid);
  return { ...reading, countedTo: before && before.counter >= reading.counter ? before.counter : null };
}

const selectApplication = (card: Transceive) =>
  sendIso(card, 'selecting the application', [0x00, 0xa4, 4, 0x0c, 7, 0xd2, 0x76, 0, 0, 0x85, 1, 1, 0]);

async function readUid(card: Transceive): Promise<Uint8Array> {
  const hardware = await sendPlain(card, 'reading the version', 0x60, none, '91af');
  await sendPlain(card, 'reading the version', 0xaf, none, '91af');
  const production = await sendPlain(card, 'reading the version', 0xaf, none);
  // Type 4 is an NTAG, size 0x11 has 416 bytes.
  if (hardware[0] !== 4 || hardware[1] !== 4 || hardware[5] !== 0x11)
    throw new Failure(what, `it is not an NTAG 424 DNA: its version is ${hexOf(hardware)}`, 'use a tag with an NTAG 424 DNA');
  return production.slice(0, 7);
}

async function readSettings(card: Transceive): Promise<Uint8Array> {
  const all = await sendPlain(card, 'reading the settings', 0xf5, Uint8Array.of(2));
  return Uint8Array.of(...all.slice(1, 4), ...all.slice(7));
}

async function open({ card }: Chip, number: number, key: Uint8Array): Promise<ChipSession> {
  const session = await authenticate(card, number, key, randomBytes(16));
  if (!session) throw new Failure(what, `key ${number} is not what it was a moment ago`, 'leave the tag on the reader and run this again');
  return session;
}

/**
 * Finds which key the chip has under a number, `first` before the others. Null for an unknown key. The chip counts wrong keys and delays
 * authentication after 50 in a row; a right one resets the count.
 */
async function findKey(chip: Chip, number: number, first?: string): Promise<Candidate | null> {
  for (const candidate of chip.keysOf(number, first))
    if (await authenticate(chip.card, number, candidate.key, randomBytes(16))) return candidate;
  return null;
}

interface State {
  readonly settings: Uint8Array;
  readonly keyName: string;
  readonly target: string;
  readonly overwrite: boolean;
}

/**
 * Writes settings and file where they differ. The length of the file is written as 0 first and as itself last, so a phone reads nothing
 * from a half-written tag.
 */
async function writeContent(session: ChipSession, { file, settings }: TagContent, state: State): Promise<void> {
  const asWanted = same(state.settings, settings);
  const held = await readFile(session);
  const heldAsWanted = same(held.slice(0, file.length), file);
  const sdmIsOff = ((state.settings[0] ?? 0) & 0x40) === 0;
  const empty = held[0] === 0 && held[1] === 0 && (sdmIsOff || asWanted);
  const ours = heldAsWanted && (state.keyName === 'factory' || state.keyName === state.target);
  if (!(empty || ours || state.overwrite))
    throw new Failure(
      what,
      `it is not empty: ${urlIn(held)?.replace(/\?.*/, '') ?? 'it holds data or settings'}, key 0 is ${state.keyName}`,
      'use an empty tag, or overwrite this one with --overwrite',
    );
  if (!asWanted) await session.full('changing the settings', 0x5f, Uint8Array.of(2), settings);
  if (heldAsWanted) return;
  await write(session, 0, Uint8Array.of(0, 0));
  for (let at = 2; at < file.length; at += 128) await write(session, at, file.slice(at, at + 128));
  await write(session, 0, file.slice(0, 2));
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
const range = (offset: number, length: number): number[] => [2, offset & 0xff, offset >> 8, 0, length & 0xff, length >> 8, 0];

/** A chip puts no proof of a tap into the file during an authenticated session. */
async function readFile(session: ChipSession): Promise<Uint8Array> {
  const read = (offset: number) => session.plain('reading the file', 0xad, Uint8Array.from(range(offset, 128)));
  return Uint8Array.of(...(await read(0)), ...(await read(128)));
}

const write = (session: ChipSession, offset: number, data: Uint8Array) =>
  session.plain('writing the file', 0x8d, Uint8Array.of(...range(offset, data.length), ...data));

async function ensureKey(chip: Chip, number: number, main: Candidate, target: string): Promise<void> {
  const held = number === 0 ? main : await findKey(chip, number, main.name);
  if (!held) throw new Failure(what, `its key ${number} is not the factory’s and none of NFC_KEYS`, 'use another tag');
  const wanted = chip.keysOf(number).find(({ name }) => name === target);
  if (!wanted) throw new RangeError(`NFC_KEYS has no ${target}`);
  if (same(held.key, wanted.key)) return;
  await changeKey(await open(chip, 0, main.key), number, { from: held.key, to: wanted.key });
}

async function readAsPhone(card: Transceive, keys: TagKeys): Promise<Reading | null> {
  await selectApplication(card);
  await sendIso(card, 'selecting the file', [0x00, 0xa4, 0, 0x0c, 2, 0xe1, 0x04]);
  const url = urlIn(await sendIso(card, 'reading the file', [0x00, 0xb0, 0, 0, 250]));
  return url === null ? null : verifyReading(url, keys);
}

/** Reads the tag as a phone does. Throws a {@link Failure} unless our keys made its content, for the UID `expected`, when given. */
export async function readTag(card: Transceive, keys: TagKeys, expected?: Uint8Array): Promise<Reading> {
  const reading = await readAsPhone(card, keys);
  if (!reading || (expected && !same(reading.uid, expected)))
    throw new Failure('the tag was not accepted', 'what a phone reads from it is not a tap by the keys of NFC_KEYS', 'write the tag again');
  return reading;
}

export const entryOf = ({ uid, keyVersion }: Reading) => ({ uid: hexOf(uid), key_version: keyVersion });
