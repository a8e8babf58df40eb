import type { ServerResponse } from 'node:http';

const streaming = Symbol('streaming');

/** Says that a response has begun to be a stream: the request counts as responded, and the stream may last for hours. */
export function noteStream(response: ServerResponse): void {
  response.emit(streaming);
}

/** Runs `then` once: when the response has ended, or when it has begun to be a stream. */
export function onResponded(response: ServerResponse, then: (as: 'ended' | 'stream') => void): void {
  const settle = (as: 'ended' | 'stream') => {
    response.off('close', ended).off(streaming, begun);
    then(as);
  };
  const ended = () => settle('ended');
  const begun = () => settle('stream');
  response.once('close', ended).once(streaming, begun);
}
