import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { SimulatedChip } from '@corner/sandbox/tags';

const noCard = 0x8010000c;

const word = (...values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.of(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24)));

/** Only protocol 4.5, as releases 2.3 of pcscd. The chip on the reader may be changed. */
export async function simulateReader(folder: string): Promise<SimulatedReader> {
  const reader: { chip: SimulatedChip | null } = { chip: null };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serve(socket, () => reader.chip).catch(() => socket.destroy());
  });
  const path = `${folder}/pcscd.comm`;
  server.listen(path);
  await once(server, 'listening');
  return {
    path,
    lay: (chip) => {
      reader.chip = chip;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

interface SimulatedReader extends AsyncDisposable {
  readonly path: string;
  lay(chip: SimulatedChip | null): void;
}

async function serve(socket: Socket, chip: () => SimulatedChip | null): Promise<void> {
  let buffered = Buffer.alloc(0);
  for await (const data of socket as AsyncIterable<Buffer>) {
    buffered = Buffer.concat([buffered, data]);
    for (let whole = requestIn(buffered); whole; whole = requestIn(buffered)) {
      buffered = buffered.subarray(whole.length);
      socket.write(answer(whole, chip()));
    }
  }
}

/** Length, command, body, and after a transmission's body the bytes for the chip. Null when more is to come. */
function requestIn(bytes: Buffer): Buffer<ArrayBuffer> | null {
  if (bytes.length < 8) return null;
  const end = 8 + bytes.readUInt32LE(0);
  if (bytes.length < end) return null;
  const length = bytes.readUInt32LE(4) === 9 ? end + bytes.readUInt32LE(20) : end;
  return bytes.length < length ? null : Buffer.from(bytes.subarray(0, length));
}

function answer(request: Buffer, chip: SimulatedChip | null): Buffer {
  const body = request.subarray(8);
  switch (request.readUInt32LE(4)) {
    case 1:
      return word(2, 77, 0);
    case 4: {
      const known = body.readUInt32LE(0) === 77 && body.subarray(4, 132).toString().startsWith('Simulated reader 00\0');
      return Buffer.concat([body.subarray(0, 140), word(5, 2, !known ? 0x80100009 : chip ? 0 : noCard)]);
    }
    case 9: {
      const response = Buffer.from(chip?.answer(body.subarray(32)) ?? []);
      return Buffer.concat([body.subarray(0, 24), word(response.length, chip ? 0 : 0x80100069), response]);
    }
    case 0x11:
      return word(4, 5, body.readUInt32LE(4) === 5 ? 0 : 0x8010001e);
    case 0x12: {
      const list = Buffer.alloc(16 * 184);
      list.write('Simulated reader 00');
      return list;
    }
    default:
      return Buffer.concat([body.subarray(0, -4), word(0)]);
  }
}
