import type { Change } from '@corner/console-api';
import type { LiveState } from '../components/page-context.ts';

export type { LiveState };

export interface LiveSource {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

/** Streams end with the token by design, and the browser reconnects at once: only longer breaks are shown. */
export const lostAfterMs = 2_000;
/** After a refusal, then twice as long each time up to the most. */
export const comeBackMs = 3_000;
const mostMs = 60_000;
const closed = 2;

interface Options {
  readonly open: () => LiveSource | undefined;
  readonly state: (state: LiveState) => void;
  readonly changed: (change: Change) => void;
  readonly missed: () => void;
  readonly refused: () => void;
}

/**
 * `connect` opens the stream, and closes an earlier one; `open` returns undefined while the page is hidden. `missed` is called when changes
 * may have been missed, but now arrive again: earlier reads must be repeated.
 */
export function followLive({ open, state, changed, missed, refused }: Options): { connect(): void; close(): void } {
  let source: LiveSource | undefined;
  // Also at first: a read that the page has begun may be older than the stream.
  let mayHaveMissed = true;
  let refusals = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  let silent: ReturnType<typeof setTimeout> | undefined;
  const isOpen = () => {
    clearTimeout(silent);
    silent = undefined;
  };
  const close = () => {
    clearTimeout(again);
    isOpen();
    source?.close();
  };
  const connect = () => {
    close();
    source = open();
    if (source === undefined) {
      mayHaveMissed = true;
      return state('connecting');
    }
    source.addEventListener('open', () => {
      isOpen();
      refusals = 0;
      state('live');
      if (mayHaveMissed) missed();
      mayHaveMissed = false;
    });
    source.addEventListener('error', () => {
      silent ??= setTimeout(() => state('lost'), lostAfterMs);
      // The browser reconnects and resumes unless the server refused.
      if (source?.readyState !== closed) return;
      mayHaveMissed = true;
      again = setTimeout(connect, Math.min(mostMs, comeBackMs * 2 ** refusals++));
      refused();
    });
    source.addEventListener('change', ({ data }) => changed(JSON.parse(data) as Change));
    source.addEventListener('reset', missed);
  };
  return { connect, close };
}
