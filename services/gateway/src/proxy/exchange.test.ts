import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ForwardingRun, type RequestKind } from '../testing/forwarding-run.ts';
import { TestClock } from '../testing/test-clock.ts';
import { type Exchange, type ExchangeEvent, type ExchangeFacts, maxAttempts, stepExchange } from './exchange.ts';
import type { Replica } from './replicas.ts';

describe('whatever replicas, caller and clock do, and in whatever order', () => {
  const kinds = fc
    .record({
      method: fc.constantFrom('GET', 'POST'),
      body: fc.constantFrom('none', 'read'),
      repeatable: fc.boolean(),
      replicas: fc.integer({ min: 1, max: 5 }),
    })
    .map((kind): RequestKind => kind);

  test('a request gets one outcome, is sent again only where that is allowed, and leaves nothing behind', () => {
    const seen = new Set<string>();
    const orders = fc.array(fc.nat(1_000), { maxLength: 40 });
    fc.assert(
      fc.property(kinds, orders, (kind, order) => {
        using clock = new TestClock();
        const run = new ForwardingRun(kind, clock);
        for (const nth of order) run.move(nth);
        run.finish();
        for (const each of [...run.history, ...run.outcomes]) seen.add(each);
        const broken = brokenPromises(run, clock);
        if (broken.length > 0) throw new Error(`${broken.join('; ')}, after: ${run.history.join(', ')}`);
      }),
      { numRuns: 3_000 },
    );
    expect([...seen]).toEqual(expect.arrayContaining(['whole response', 'cut off', 'refused', 'left', 'has the lost attempt in progress']));
  });
});

function brokenPromises(run: ForwardingRun, clock: TestClock): readonly string[] {
  const { outcomes, response, attempts, reports, replicas, stopped } = run;
  const [sent, got] = [attempts.at(-1)?.sent.join('') ?? '', response.parts.join('')];
  const [outcome] = outcomes;
  const checks: readonly (readonly [boolean, string])[] = [
    [outcomes.length === 1, `the caller got ${outcomes.join(' and ')}`],
    [response.began <= 1, 'two responses began'],
    [response.began === 0 || outcome !== 'refused', 'a response was followed by a refusal'],
    [reports === 1, `the end was reported ${reports} times`],
    [sent.startsWith(got), 'the caller got something else than was sent'],
    [outcome !== 'whole response' || stopped || got === sent, 'a whole response lacks parts'],
    [attempts.every(({ state, aborted }) => state === 'over' || aborted), 'an attempt runs on'],
    [replicas.every(({ underway }) => underway === 0), 'a replica still counts the request'],
    [run.listeners === 0, 'listeners are left'],
    [clock.pending === 0, 'timers are left'],
  ];
  return [...run.breaches, ...checks.filter(([holds]) => !holds).map(([, fault]) => fault)];
}

describe('an exchange', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((origin) => ({ origin, fault: null }) as Replica) as [Replica, Replica, Replica];
  const facts: ExchangeFacts = {
    service: 'orders',
    isRead: false,
    repeatable: true,
    choose: (tried) => [a, b, c].find((replica) => !tried.includes(replica)),
  };
  const sending = (rest: Partial<Exchange & { state: 'sending' }> = {}): Exchange => ({
    state: 'sending',
    replica: a,
    tried: [a],
    lost: false,
    ...rest,
  });
  const failed = (code: string, sent = true): ExchangeEvent => ({ type: 'failed', error: Object.assign(new Error(code), { code }), sent });
  const began: ExchangeEvent = { type: 'response begins', status: 200, headers: {} };
  const streams: ExchangeEvent = { ...began, headers: { 'content-type': 'text/event-stream; charset=utf-8' } };
  const responding: Exchange = { state: 'responding', replica: a };
  const streaming: Exchange = { state: 'streaming', replica: a };
  const waiting: Exchange = { state: 'waiting', replica: b, seconds: 2 };
  const limit: ExchangeEvent = { type: 'time limit' };
  const out: ExchangeEvent = { type: 'replica out' };

  test.each<[string, Exchange, ExchangeEvent, string, string]>([
    ['passes a response on', sending(), began, 'responding', 'begin response'],
    ['of a stream is reported as ended when it begins', sending(), streams, 'streaming', 'begin response, report end'],
    ['refused by a replica goes to the next', sending(), failed('ECONNREFUSED', false), 'sending', 'take out, count repeat, send'],
    ['lost by a replica goes to the next', sending(), failed('ECONNRESET'), 'sending', 'take out, count repeat, send'],
    ['with a fault of its own is refused', sending(), failed('HPE_INVALID'), 'ended', 'report end, refuse'],
    [
      ...(['at the last replica allowed is refused', sending({ tried: [b, c, a] }), failed('ECONNRESET')] as const),
      ...(['ended', 'take out, report end, refuse'] as const),
    ],
    ['goes on at another replica when its own is found unreachable', sending(), out, 'sending', 'abort attempt, count repeat, send'],
    ['stays with its replica when it was sent to three', sending({ tried: [b, c, a] }), out, 'sending', ''],
    ['goes on with a response whose replica is found unreachable by others', responding, out, 'responding', ''],
    ['waits while the lost attempt runs', sending({ lost: true }), { type: 'in progress', seconds: 2 }, 'waiting', ''],
    ['is sent again after the pause', waiting, { type: 'pause over' }, 'sending', 'count repeat, send'],
    ['is refused at the time limit', sending(), limit, 'ended', 'abort attempt, report end, refuse'],
    ['is refused at the time limit in a pause', waiting, limit, 'ended', 'abort attempt, report end, refuse'],
    ['passes a part on', responding, { type: 'response data', chunk: Buffer.from('part') }, 'responding', 'write'],
    ['ends with its response', responding, { type: 'response ends' }, 'ended', 'report end, end response'],
    ['is cut off when its response breaks', responding, failed('ECONNRESET'), 'ended', 'take out, report end, cut off response'],
    ['is cut off when its stream breaks', streaming, failed('UND_ERR_BODY_TIMEOUT'), 'ended', 'cut off response'],
    ['of a stream ends with it', streaming, { type: 'response ends' }, 'ended', 'end response'],
    ['of a stream ends when the gateway stops', streaming, { type: 'gateway stops' }, 'ended', 'abort attempt, end response'],
    ['completes a response while the gateway stops', responding, { type: 'gateway stops' }, 'responding', ''],
    ['ends when the caller leaves before a response', sending(), { type: 'caller left' }, 'ended', 'abort attempt, report end'],
    ['ends when the caller leaves in a pause', waiting, { type: 'caller left' }, 'ended', 'abort attempt, report end'],
    ['ends when the caller leaves a response', responding, { type: 'caller left' }, 'ended', 'abort attempt, report end'],
    ['ends when the caller leaves a stream', streaming, { type: 'caller left' }, 'ended', 'abort attempt'],
    ['that has ended stays so', { state: 'ended' }, began, 'ended', ''],
  ])('%s', (_, exchange, event, state, effects) => {
    const step = stepExchange(exchange, event, facts);
    expect([step.exchange.state, step.effects.map((effect) => effect.do).join(', ')]).toEqual([state, effects]);
  });

  test('has each replica get the request once, and three of them at most', () => {
    const third = stepExchange(sending({ replica: b, tried: [a, b] }), failed('ECONNRESET'), facts).exchange;
    expect(third).toEqual({ state: 'sending', replica: c, tried: [a, b, c], lost: true });
    expect(maxAttempts).toBe(3);
  });

  test('is not sent again to one that is out itself, or where it may run twice', () => {
    const none = { ...facts, choose: () => ({ ...b, fault: 'TimeoutError' }) as Replica };
    const states = [none, { ...facts, repeatable: false }].map((given) => stepExchange(sending(), out, given));
    expect(states).toEqual([0, 1].map(() => ({ exchange: sending(), effects: [] })));
  });

  test('sends a read, and no write, to the same replica once more when no other is left', () => {
    const alone = { ...facts, choose: () => undefined };
    const after = (read: boolean, tried: readonly Replica[]) =>
      stepExchange(sending({ tried }), failed('ECONNRESET'), { ...alone, isRead: read }).exchange.state;
    expect([after(true, [a]), after(false, [a]), after(true, [a, a])]).toEqual(['sending', 'ended', 'ended']);
  });

  test('asks any replica for the result of a lost attempt, also one that it tried', () => {
    const { exchange, effects } = stepExchange(waiting, { type: 'pause over' }, facts);
    expect(exchange).toEqual({ state: 'sending', replica: a, tried: [a], lost: true });
    expect(effects.at(-1)).toEqual({ do: 'send', replica: a, afterLoss: true });
  });
});
