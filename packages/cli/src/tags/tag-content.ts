import { Misuse } from '../screen/failure.ts';

export interface TagContent {
  readonly file: Uint8Array;
  readonly settings: Uint8Array;
}

const threeBytes = (offset: number): number[] => [offset & 0xff, offset >> 8, 0];

/**
 * Returns the content of a tag whose taps open `address` with `key_version`, `picc_data` and `cmac` added: the NDEF file, and the data of
 * ChangeFileSettings, which make the chip put each tap's proof into the file. Anyone may read the file; key 0 writes it and changes its
 * settings; key 1 encrypts PICCData (UID and counter), key 2 signs it. The signature covers no further data. Throws {@link Misuse} for an
 * address that is not https, has a fragment, or is too long.
 */
export function tagContent(address: string, keyVersion: string): TagContent {
  const what = 'no tag was written';
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:')
    throw new Misuse(what, `--url ${address} is not an address that begins with https://`);
  const url = new URL(address);
  if (url.hash) throw new Misuse(what, `--url ${address} has a fragment, behind which a tap cannot be sent`);
  for (const name of ['key_version', 'picc_data', 'cmac']) url.searchParams.delete(name);
  url.searchParams.append('key_version', keyVersion);
  const text = `${url.href.slice('https://'.length)}&picc_data=${'0'.repeat(32)}&cmac=${'0'.repeat(16)}`;
  if (text.length > 239) throw new Misuse(what, `--url ${address} is too long for a tag by ${text.length - 239} characters`);
  // A well-known record of type U; 4 stands for https://.
  const record = Uint8Array.of(0xd1, 1, text.length + 1, 0x55, 4, ...Buffer.from(text));
  const file = Uint8Array.of(0, record.length, ...record);
  const mac = file.length - 16;
  const picc = mac - '&cmac='.length - 32;
  return {
    file,
    // SDM on, plain; read by all, the rest by key 0; UID and counter mirrored as text; PICCData by key 1, MAC by key 2, counter by no one.
    settings: Uint8Array.of(0x40, 0x00, 0xe0, 0xc1, 0xff, 0x12, ...[picc, mac, mac].flatMap(threeBytes)),
  };
}

export function urlIn(file: Uint8Array): string | null {
  const length = ((file[0] ?? 0) << 8) | (file[1] ?? 0);
  const [header, type, , letter, prefix] = file.slice(2);
  if (length < 5 || header !== 0xd1 || type !== 1 || letter !== 0x55 || prefix !== 4) return null;
  const url = `https://${Buffer.from(file.slice(7, 2 + length)).toString('latin1')}`;
  return URL.canParse(url) ? url : null;
}
