import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Failure } from '../screen/failure.ts';
import type { Transceive } from './chip-session.ts';

export interface Reader extends AsyncDisposable {
  readonly name: string;
  readonly transceive: Transceive;
}

const what = 'no tag was reached';

/** Commands of pcscd's protocol 4, as its winscard_msg.h lists them. */
const commands = { establish: 1, connect: 4, disconnect: 6, transmit: 9, version: 0x11, readers: 0x12 } as const;
const nameLength = 128;
/** A reader's state: name, three numbers, 33 bytes of the card's answer to reset filled to 36, two numbers. There are 16 in a list. */
const stateLength = nameLength + 12 + 36 + 8;
const states = 16;

const reasons: Readonly<Record<number, readonly [why: string, fix: string]>> = {
  2148532235: ['another program uses the reader', 'end it and run this again'],
  2148532236: ['no tag lies on the reader', 'lay a tag on it and run this again'],
  2148532326: ['the tag does not answer', 'lay it on the reader again, flat, and run this again'],
  2148532329: ['the tag was taken away', 'lay it on the reader and run this again; a run that was interrupted is finished'],
  2148532330: ['pcscd does not let this user use the reader', 'allow it in polkit (org.debian.pcsc-lite.access_card), or run as root'],
};

function refused(code: number): Failure {
  const [why, fix] = reasons[code] ?? [`pcscd answered ${code.toString(16)}`, 'see the log of pcscd, and run this again'];
  return new Failure(what, why, fix);
}

/**
 * Opens the tag on a reader by the socket of pcscd: the first reader, or the one whose name contains `wanted`. Throws a {@link Failure}
 * when pcscd, a reader or a tag is missing.
 */
export async function openReader(wanted: string | undefined, env: NodeJS.ProcessEnv): Promise<Reader> {
  const socket = await connectTo(env.PCSCLITE_CSOCK_NAME || '/run/pcscd/pcscd.comm');
  const pcscd = exchanges(socket);
  try {
    await agreeOnVersion(pcscd);
    const context = checked(await pcscd.call(commands.establish, numbers(2, 0, 0), 12)).readUInt32LE(4);
    const list = await pcscd.call(commands.readers, Buffer.alloc(0), stateLength * states);
    const name = choose(namesIn(list), wanted);
    const padded = Buffer.alloc(nameLength);
    padded.write(name);
    // Exclusive, so that no other program speaks to the tag in between; by T=0 or T=1.
    const opened = checked(await pcscd.call(commands.connect, Buffer.concat([numbers(context), padded, numbers(1, 3, 0, 0, 0)]), 152));
    const [card, protocol] = [opened.readUInt32LE(140), opened.readUInt32LE(144)];
    return {
      name,
      transceive: (command) => transmit(pcscd, { card, protocol }, command),
      async [Symbol.asyncDispose]() {
        const reset = 1;
        await pcscd.call(commands.disconnect, numbers(card, reset, 0), 12).catch(() => {});
        socket.destroy();
      },
    };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Protocol 4.4, which most releases take, and then pcscd's own version: the messages used here are the same from 4.3 to 4.6. */
async function agreeOnVersion(pcscd: Exchanges): Promise<void> {
  const offered = await pcscd.call(commands.version, numbers(4, 4, 0), 12);
  if (offered.readUInt32LE(8) === 0) return;
  const [major, minor] = [offered.readInt32LE(0), offered.readInt32LE(4)];
  const known = major === 4 && minor >= 3 && minor <= 6;
  if (known && (await pcscd.call(commands.version, numbers(major, minor, 0), 12)).readUInt32LE(8) === 0) return;
  throw new Failure(what, `pcscd speaks protocol ${major}.${minor}, not 4.3 to 4.6`, 'install another version of pcscd, such as 2.4');
}

async function connectTo(path: string): Promise<Socket> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (cause) {
    const fix = 'install and start pcscd (Debian: apt install pcscd), on Linux; its socket is PCSCLITE_CSOCK_NAME';
    throw new Failure(what, `${path} cannot be reached: ${(cause as NodeJS.ErrnoException).code ?? 'no pcscd'}`, fix, { cause });
  }
}

const numbers = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);

const checked = (response: Buffer): Buffer => {
  const code = response.readUInt32LE(response.length - 4);
  if (code !== 0) throw refused(code);
  return response;
};

interface Exchanges {
  call(command: number, body: Buffer, length: number, after?: Uint8Array): Promise<Buffer>;
  read(length: number): Promise<Buffer>;
}

function exchanges(socket: Socket): Exchanges {
  const arriving = socket[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  const read = async (length: number): Promise<Buffer> => {
    while (held.length < length) {
      const next = await arriving.next().catch((cause: unknown) => ({ done: true as const, value: cause }));
      if (next.done) throw new Failure(what, 'pcscd ended the connection', 'see the log of pcscd', { cause: next.value });
      held = Buffer.concat([held, next.value]);
    }
    const bytes = held.subarray(0, length);
    held = held.subarray(length);
    return bytes;
  };
  return {
    read,
    async call(command, body, length, after = Buffer.alloc(0)) {
      socket.write(Buffer.concat([numbers(body.length, command), body, after]));
      return await read(length);
    },
  };
}

const namesIn = (list: Buffer): string[] =>
  Array.from({ length: states }, (_, index) => list.subarray(index * stateLength, index * stateLength + nameLength))
    .map((name) => name.subarray(0, name.indexOf(0)).toString())
    .filter(Boolean);

function choose(names: readonly string[], wanted: string | undefined): string {
  const found = names.find((name) => wanted === undefined || name.toLowerCase().includes(wanted.toLowerCase()));
  if (found) return found;
  const known = names.length === 0 ? 'pcscd knows no reader' : `pcscd knows ${names.join(', ')}`;
  throw new Failure(what, known, names.length === 0 ? 'connect a reader' : 'name one of these with --reader');
}

async function transmit(
  pcscd: Exchanges,
  { card, protocol }: { readonly card: number; readonly protocol: number },
  command: Uint8Array,
): Promise<Uint8Array> {
  const most = 264;
  const fixed = numbers(card, protocol, 8, command.length, protocol, 8, most, 0);
  const response = checked(await pcscd.call(commands.transmit, fixed, fixed.length, command));
  return Uint8Array.from(await pcscd.read(response.readUInt32LE(24)));
}
