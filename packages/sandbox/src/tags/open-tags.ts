import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type TagReading, tapTag } from './tap-tag.ts';

/** A tap that could not be simulated: why, and what to do. */
export class TapFailed extends Error {
  override readonly name = 'TapFailed';
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

export interface TapOptions {
  /** One more than at the last tap when absent. */
  readonly counter?: number | undefined;
  /** Reads what the last tap gave once more. */
  readonly replay?: boolean | undefined;
}

/** Simulated tags that remember how often they were tapped. */
export interface Tags {
  /** Taps a tag by its UID, 14 hexadecimal digits. Throws {@link TapFailed} for another UID, and for a replay before the first tap. */
  tap(uid: string, options?: TapOptions): TagReading;
}

const Taps = z.record(
  z.string(),
  z.object({ counter: z.int(), reading: z.object({ nfc_picc_data: z.string(), nfc_cmac: z.string(), nfc_key_version: z.string() }) }),
);
type Taps = z.output<typeof Taps>;

/**
 * Opens the tags whose counters are kept in a folder, with the keys of `env` or those of development. Every process that opens the folder has the same
 * tags: the file is read at each tap. Of two processes that tap one tag at the same moment both may get one counter, and loyalty accepts it once.
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

/** Another process sees either the old file or the new one. */
function write(file: string, taps: Taps): void {
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(fresh, `${JSON.stringify(taps, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}
