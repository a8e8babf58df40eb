import type { IncomingMessage } from 'node:http';

/** Bytes of a body read after the response was decided. A caller that is cut off while it still sends would not see the response. */
const maxDiscardedBytes = 1024 * 1024;

/** Reads the rest of a body, so that the connection can be used again, and then calls `done`. Cuts off a body that goes on for too long. */
export function discardBody(request: IncomingMessage, done: () => void = () => {}): void {
  if (request.complete || request.destroyed) {
    done();
    return;
  }
  let bytesLeft = maxDiscardedBytes;
  request.on('data', (chunk: Buffer) => {
    bytesLeft -= chunk.length;
    if (bytesLeft < 0) request.destroy();
  });
  request.once('close', done);
  request.resume();
}
