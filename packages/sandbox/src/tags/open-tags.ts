import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { stores, tags } from '../demo/cast.ts';
import { type TagReading, tapTag } from './tap-tag.ts';

export class TapFailed extends Error {
  override readonly name = 'TapFailed';
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

interface TapOptions {
  readonly counter?: number | undefined;
  readonly replay?: boolean | undefined;
}

export interface Tags {
  /** `uid` is 14 hexadecimal digits. Throws {@link TapFailed} for another UID, and for a replay before the first tap. */
  tap(uid: string, options?: TapOptions): TagReading;
}

const Taps = z.record(
  z.string(),
  z.object({ counter: z.int(), reading: z.object({ nfc_picc_data: z.string(), nfc_cmac: z.string(), nfc_key_version: z.string() }) }),
);
type Taps = z.output<typeof Taps>;

/**
 * All processes share the counters in a folder, which are read at each tap. Two simultaneous taps may get one counter; loyalty accepts it
 * once.
 */
export function openTags(folder: string, env: Readonly<Record<string, string | undefined>>): Tags {
  const file = `${folder}/taps.json`;
  return {
    tap(given, { counter: chosen, replay = false } = {}) {
      const uid = uidOf(given);
      const taps = read(file);
      const last = taps[uid];
      if (replay && !last) throw new TapFailed(`${uid} has not been tapped yet`, 'tap it once first');
      if (replay && last) return last.reading;
      const counter = chosen ?? (last ? last.counter + 1 : 1);
      const reading = tapTag(uid, counter, env);
      mkdirSync(folder, { recursive: true });
      write(file, { ...taps, [uid]: { counter: Math.max(counter, last?.counter ?? 0), reading } });
      return reading;
    },
  };
}

function uidOf(text: string): string {
  if (!/^[0-9a-f]{14}$/i.test(text))
    throw new TapFailed(`${text} is not the UID of a tag`, 'name 14 hexadecimal digits, such as 04C0FFEE000001');
  return text.toUpperCase();
}

function read(file: string): Taps {
  try {
    return Taps.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

function write(file: string, taps: Taps): void {
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(fresh, `${JSON.stringify(taps, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function tagOfStore(codeOrId: string, uid?: string): { readonly storeId: string; readonly uid: string } {
  const known = Object.values(stores);
  const isCode = ({ code }: { readonly code: string }) => code.toLowerCase() === codeOrId.toLowerCase();
  const storeId = uuid.test(codeOrId) ? codeOrId.toLowerCase() : known.find(isCode)?.id;
  if (!storeId) throw new TapFailed(`no store of the demo has the code ${codeOrId}`, 'name another code, or the id of a store');
  const found = uid ?? tags.find((tag) => tag.storeId === storeId)?.uid;
  if (!found) throw new TapFailed('the demo has no tag at this store', 'name one by its UID, 14 hexadecimal digits');
  return { storeId, uid: found };
}
