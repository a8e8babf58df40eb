import type { IncomingHttpHeaders } from 'node:http';
import { Problem, type ServiceName } from '@corner/contracts';
import type { Report } from './attempt.ts';
import { CallerLeft, ReplicaOut, ResponseTimeout, Stopping, unavailable } from './faults.ts';
import { isReplicaFault, type RepeatReason, reasonToRepeat } from './repeat.ts';
import { faultOf, type Replica } from './replicas.ts';

export const maxAttempts = 3;
export const eventStream = 'text/event-stream';

/**
 * A caller's request and its one response, with all attempts that it takes.
 *
 * waiting: another attempt follows after a pause, because the lost one is still in progress. responding: the caller gets the response, and
 * the request is never sent again. streaming: the same for a stream of events, which may wait for hours and does not count as work; it ends
 * with the gateway, while other responses are completed first.
 */
export type Exchange =
  | Sending
  | { readonly state: 'waiting'; readonly replica: Replica; readonly seconds: number }
  | { readonly state: 'responding'; readonly replica: Replica }
  | { readonly state: 'streaming'; readonly replica: Replica }
  | { readonly state: 'ended' };

/** `tried`: the replicas that got the request since the last pause. `lost`: an earlier attempt may still run without its connection. */
interface Sending {
  readonly state: 'sending';
  readonly replica: Replica;
  readonly tried: readonly Replica[];
  readonly lost: boolean;
}

export type ExchangeEvent =
  | Report
  | { readonly type: 'time limit' }
  /** The replica may have received the request and is found unreachable; its connection may stay open and silent for long. */
  | { readonly type: 'replica out' }
  | { readonly type: 'pause over' }
  | { readonly type: 'caller left' }
  | { readonly type: 'gateway stops' };

/** The effects of a step, in order. Timers and counts are not among them: they follow from the state. */
export type Effect =
  | { readonly do: 'send'; readonly replica: Replica; readonly afterLoss: boolean }
  | { readonly do: 'abort attempt'; readonly reason: Error }
  | { readonly do: 'take out'; readonly replica: Replica; readonly fault: string }
  | { readonly do: 'count repeat'; readonly reason: RepeatReason }
  | { readonly do: 'begin response'; readonly status: number; readonly headers: IncomingHttpHeaders }
  | { readonly do: 'write'; readonly chunk: Buffer }
  | { readonly do: 'end response' }
  | { readonly do: 'cut off response' }
  | { readonly do: 'refuse'; readonly problem: Problem }
  /** The work for the request has ended; a stream's work ends when it begins. */
  | { readonly do: 'report end'; readonly fault?: unknown };

export interface ExchangeStep {
  readonly exchange: Exchange;
  readonly effects: readonly Effect[];
}

export interface ExchangeFacts {
  readonly service: ServiceName;
  readonly isRead: boolean;
  readonly repeatable: boolean;
  choose(tried: readonly Replica[]): Replica | undefined;
}

export const beginExchange = (replica: Replica): ExchangeStep => send(replica, { tried: [], lost: false });

/** An event that does not fit the state changes nothing. */
export function stepExchange(exchange: Exchange, event: ExchangeEvent, facts: ExchangeFacts): ExchangeStep {
  if (exchange.state === 'ended') return unchanged(exchange);
  if (event.type === 'caller left') return leave(exchange);
  switch (exchange.state) {
    case 'sending':
      if (event.type === 'response begins') return respond(exchange, event);
      if (event.type === 'in progress') return { exchange: { ...exchange, state: 'waiting', seconds: event.seconds }, effects: [] };
      if (event.type === 'failed') return repeatOrRefuse(exchange, event, facts);
      if (event.type === 'replica out') return repeatElsewhere(exchange, facts);
      return event.type === 'time limit' ? timeOut(exchange, facts) : unchanged(exchange);
    case 'waiting':
      if (event.type === 'pause over') return sendAfterPause(exchange, facts);
      return event.type === 'time limit' ? timeOut(exchange, facts) : unchanged(exchange);
    case 'responding':
    case 'streaming':
      if (event.type === 'response data') return { exchange, effects: [{ do: 'write', chunk: event.chunk }] };
      if (event.type === 'response ends') return end(exchange, { last: [{ do: 'end response' }] });
      if (event.type === 'failed') return cutOff(exchange, event);
      return event.type === 'gateway stops' ? stopStream(exchange) : unchanged(exchange);
    default:
      return exchange satisfies never;
  }
}

function send(replica: Replica, { tried, lost }: Pick<Sending, 'tried' | 'lost'>, before: readonly Effect[] = []): ExchangeStep {
  return {
    exchange: { state: 'sending', replica, tried: [...tried, replica], lost },
    effects: [...before, { do: 'send', replica, afterLoss: lost }],
  };
}

function respond({ replica }: Sending, { status, headers }: Report & { type: 'response begins' }): ExchangeStep {
  const isStream = String(headers['content-type']).startsWith(eventStream);
  return {
    exchange: { state: isStream ? 'streaming' : 'responding', replica },
    effects: [{ do: 'begin response', status, headers }, ...(isStream ? [{ do: 'report end' } as const] : [])],
  };
}

function repeatOrRefuse(exchange: Sending, failure: Report & { type: 'failed' }, facts: ExchangeFacts): ExchangeStep {
  const { error, sent } = failure;
  const { replica, tried, lost } = exchange;
  const before = takeOutAfter(replica, failure);
  const mayRepeat = tried.length < maxAttempts;
  const reason = mayRepeat ? reasonToRepeat(error, { started: sent, repeatable: facts.repeatable }) : null;
  // A kept-alive connection ends when its process restarts: a read may succeed on a new one where there is no other replica.
  const onNewConnection = reason === 'lost' && facts.isRead && tried.length === 1;
  const next = reason === null ? undefined : (facts.choose(tried) ?? (onNewConnection ? replica : undefined));
  if (reason === null || !next) return refuse(exchange, error, before);
  return send(next, { tried, lost: lost || reason === 'lost' }, [...before, { do: 'count repeat', reason }]);
}

/** Gives up an attempt whose replica is out if another is in. Without another, the service may be slow rather than gone, so it waits. */
function repeatElsewhere(exchange: Sending, { repeatable, choose }: ExchangeFacts): ExchangeStep {
  const { tried } = exchange;
  const next = repeatable && tried.length < maxAttempts ? choose(tried) : undefined;
  if (!next || next.fault !== null) return unchanged(exchange);
  return send(next, { tried, lost: true }, [
    { do: 'abort attempt', reason: new ReplicaOut() },
    { do: 'count repeat', reason: 'lost' },
  ]);
}

/** Any replica may know the result by now, also one that was lost and is back. */
const sendAfterPause = ({ replica }: { readonly replica: Replica }, { choose }: ExchangeFacts): ExchangeStep =>
  send(choose([]) ?? replica, { tried: [], lost: true }, [{ do: 'count repeat', reason: 'in_progress' }]);

function timeOut(exchange: Exchange, { service }: ExchangeFacts): ExchangeStep {
  const reason = new ResponseTimeout(service);
  return refuse(exchange, reason, [{ do: 'abort attempt', reason }]);
}

const refuse = (exchange: Exchange, error: unknown, first: readonly Effect[]): ExchangeStep =>
  end(exchange, { fault: error, first, last: [{ do: 'refuse', problem: error instanceof Problem ? error : unavailable(error) }] });

const cutOff = (exchange: Responding, failure: Report & { type: 'failed' }): ExchangeStep =>
  end(exchange, { fault: failure.error, first: takeOutAfter(exchange.replica, failure), last: [{ do: 'cut off response' }] });

function leave(exchange: Exchange): ExchangeStep {
  const reason = new CallerLeft();
  return end(exchange, { fault: reason, first: [{ do: 'abort attempt', reason }] });
}

function stopStream(exchange: Responding): ExchangeStep {
  if (exchange.state !== 'streaming') return unchanged(exchange);
  return end(exchange, { first: [{ do: 'abort attempt', reason: new Stopping() }], last: [{ do: 'end response' }] });
}

function end(exchange: Exchange, { fault, first = [], last = [] }: Ending): ExchangeStep {
  const report: readonly Effect[] = exchange.state === 'streaming' ? [] : [{ do: 'report end', ...(fault === undefined ? {} : { fault }) }];
  return { exchange: { state: 'ended' }, effects: [...first, ...report, ...last] };
}

const takeOutAfter = (replica: Replica, { error }: Report & { type: 'failed' }): readonly Effect[] =>
  isReplicaFault(error) ? [{ do: 'take out', replica, fault: faultOf(error) }] : [];

const unchanged = (exchange: Exchange): ExchangeStep => ({ exchange, effects: [] });

type Responding = Exchange & { readonly state: 'responding' | 'streaming' };

interface Ending {
  readonly fault?: unknown;
  readonly first?: readonly Effect[];
  readonly last?: readonly Effect[];
}
