export class Unprintable extends Error {
  override readonly name = 'Unprintable';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface PrintedLine {
  readonly text: string;
  readonly large: boolean;
}

/** Throws {@link Unprintable} for a control character: a printer would take it as a command. */
export function readPlainText(data: Buffer): readonly PrintedLine[] {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(data);
  if (/[^\P{Cc}\n]/u.test(text)) throw new Unprintable(511, 'the text has a control character');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => ({ text: line, large: false }));
}

/**
 * The commands that Star's two families share. Throws {@link Unprintable} for another control code, for data after the cut, and without a
 * cut.
 */
export function readStarCommands(data: Buffer): readonly PrintedLine[] {
  const lines: PrintedLine[] = [];
  let encoding: 'windows-1252' | 'utf-8' = 'windows-1252';
  let large = false;
  let text: number[] = [];
  let isCut = false;
  const print = () => {
    lines.push({ text: new TextDecoder(encoding, { fatal: true }).decode(Uint8Array.from(text)), large });
    text = [];
  };
  for (let at = 0; at < data.length; ) {
    if (isCut) throw new Unprintable(511, 'there is data after the cut');
    const command = commands.find(({ bytes }) => bytes.every((byte, n) => data[at + n] === byte));
    const byte = data[at] ?? 0;
    if (command) {
      at += command.bytes.length;
      if (command.does === 'utf-8' || command.does === 'windows-1252') encoding = command.does;
      if (command.does === 'large' || command.does === 'normal') large = command.does === 'large';
      if (command.does === 'cut') isCut = true;
      continue;
    }
    if (byte === 0x0a) print();
    else if (byte < 0x20 || byte === 0x7f) throw new Unprintable(511, `the control code ${byte} is none of the printer’s commands`);
    else text.push(byte);
    at += 1;
  }
  if (!isCut) throw new Unprintable(511, 'the paper is not cut');
  return lines;
}

/** From the command specifications of StarPRNT and of Star Line Mode. */
const commands: readonly { readonly bytes: readonly number[]; readonly does: string }[] = [
  { does: 'initialise', bytes: [0x1b, 0x40] },
  { does: 'windows-1252', bytes: [0x1b, 0x1d, 0x74, 0x20] },
  { does: 'utf-8', bytes: [0x1b, 0x1d, 0x29, 0x55, 0x02, 0x00, 0x30, 0x01] },
  { does: 'fonts of UTF-8', bytes: [0x1b, 0x1d, 0x29, 0x55, 0x02, 0x00, 0x40, 0x00] },
  { does: 'normal', bytes: [0x1b, 0x69, 0x00, 0x00] },
  { does: 'large', bytes: [0x1b, 0x69, 0x01, 0x01] },
  { does: 'cut', bytes: [0x1b, 0x64, 0x02] },
];
