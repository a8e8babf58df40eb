import type { Change } from '@corner/console-api';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { comeBackMs, followLive, type LiveSource, lostAfterMs } from './follow-live.ts';

class Stream implements LiveSource {
  readyState = 0;
  private readonly listeners: Record<string, Parameters<LiveSource['addEventListener']>[1]> = {};
  addEventListener(type: string, listener: Parameters<LiveSource['addEventListener']>[1]) {
    this.listeners[type] = listener;
  }
  emit(type: string, data = '') {
    this.listeners[type]?.(new MessageEvent(type, { data }));
  }
  begin() {
    this.readyState = 1;
    this.emit('open');
  }
  fail(refused = false) {
    this.readyState = refused ? 2 : 0;
    this.emit('error');
  }
  close() {
    this.readyState = 2;
  }
}

function start() {
  const streams: Stream[] = [];
  const seen: string[] = [];
  const page = { hidden: false };
  const live = followLive({
    open() {
      if (page.hidden) return undefined;
      streams.push(new Stream());
      return streams.at(-1);
    },
    state: (state) => void seen.push(state),
    changed: ({ subject }) => void seen.push(subject),
    missed: () => void seen.push('missed'),
    refused: () => void seen.push('refused'),
  });
  live.connect();
  const news = () => seen.splice(0);
  return { ...live, page, streams, news, stream: () => streams.at(-1) as Stream };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('what a page began to read before the stream was open is read again, and then only what a change or a reset says', () => {
  const { stream, news, close } = start();
  expect(news()).toEqual([]);
  stream().begin();
  expect(news()).toEqual(['live', 'missed']);
  stream().emit('change', JSON.stringify({ subject: 'order' } satisfies Partial<Change>));
  stream().emit('reset', '{}');
  expect(news()).toEqual(['order', 'missed']);
  close();
});

test('a stream that ends and is soon open again is neither said to be lost nor a reason to read; one that stays away is', () => {
  const { stream, news, close } = start();
  stream().begin();
  news();
  stream().fail();
  jest.advanceTimersByTime(lostAfterMs - 1);
  stream().begin();
  jest.advanceTimersByTime(lostAfterMs);
  expect(news()).toEqual(['live']);
  stream().fail();
  jest.advanceTimersByTime(lostAfterMs - 1);
  stream().fail();
  jest.advanceTimersByTime(1);
  expect(news()).toEqual(['lost']);
  close();
});

test('a hidden page is not connected, and reads again once it is', () => {
  const { page, connect, stream, streams, news, close } = start();
  stream().begin();
  page.hidden = true;
  connect();
  expect(streams.map(({ readyState }) => readyState)).toEqual([2]);
  page.hidden = false;
  news();
  connect();
  expect(news()).toEqual([]);
  stream().begin();
  expect(news()).toEqual(['live', 'missed']);
  close();
});

test('a server that refuses is asked less and less often, and nothing is read until it takes the page again', () => {
  const { stream, streams, news, close } = start();
  const waits = Array.from({ length: 7 }, () => {
    const count = streams.length;
    stream().fail(true);
    let waited = 0;
    for (; streams.length === count; waited += comeBackMs) jest.advanceTimersByTime(comeBackMs);
    return waited / comeBackMs;
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 20, 20]);
  expect(new Set(news())).toEqual(new Set(['refused', 'lost']));
  stream().begin();
  expect(news()).toEqual(['live', 'missed']);
  stream().fail(true);
  jest.advanceTimersByTime(comeBackMs);
  expect(streams).toHaveLength(9);
  close();
});
