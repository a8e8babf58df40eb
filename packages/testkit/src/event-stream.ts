import { EventSourceParserStream } from 'eventsource-parser/stream';

export interface StreamedEvent {
  readonly id: string;
  readonly data: string;
}

export interface EventStream {
  next(): Promise<StreamedEvent>;
  readonly lastId: string;
  ended(): Promise<void>;
  close(): Promise<void>;
}

export async function openEventStream(response: Response): Promise<EventStream> {
  if (!response.body || response.headers.get('content-type') !== 'text/event-stream') {
    throw new Error(`not a stream of events: ${response.status}, ${response.headers.get('content-type')}`);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
  let lastId = '';
  const next = async (): Promise<StreamedEvent> => {
    const { value, done } = await reader.read();
    if (done) throw new Error('the stream of events has ended');
    lastId = value.id ?? '';
    return { id: lastId, data: value.data };
  };
  return {
    next,
    get lastId() {
      return lastId;
    },
    async ended() {
      while (!(await reader.read()).done);
    },
    close: () => reader.cancel(),
  };
}
