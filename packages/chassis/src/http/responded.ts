import type { ServerResponse } from 'node:http';

const streaming = Symbol('streaming');

/** A response that begins to be a stream counts as given: the stream may last for hours. */
export function noteStream(response: ServerResponse): void {
  response.emit(streaming);
}

/** Calls `then` once: when the response has ended, or has begun to be a stream. */
export function onResponded(response: ServerResponse, then: (as: 'ended' | 'stream') => void): void {
  const settle = (as: 'ended' | 'stream') => {
    response.off('close', ended).off(streaming, begun);
    then(as);
  };
  const ended = () => settle('ended');
  const begun = () => settle('stream');
  response.once('close', ended).once(streaming, begun);
}
