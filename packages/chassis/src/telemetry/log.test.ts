import { afterAll, expect, test } from '@jest/globals';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { InvalidInputError } from 'slonik';
import { createLog, withLogFields } from './log.ts';
import { continuing, currentTraceparent, freshTrace, inSpan, linkTo, startTelemetry } from './telemetry.ts';

const spans = new InMemorySpanExporter();
const telemetry = startTelemetry({ service: 'test', processors: [new SimpleSpanProcessor({ exporter: spans } as never)] });
afterAll(() => telemetry.stop());

const logged = (work: (log: ReturnType<typeof createLog>) => void) => {
  const lines: Record<string, unknown>[] = [];
  work(createLog('test', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) }));
  return lines;
};

test('a log line has the trace and the ids of the work it belongs to', async () => {
  await inSpan('work', {}, async (span) => {
    const [line] = logged((log) => withLogFields({ request_id: 'r1' }, () => withLogFields({ store_id: 's1' }, () => log.info('hello'))));
    expect(line).toMatchObject({
      trace_id: span.spanContext().traceId,
      span_id: span.spanContext().spanId,
      request_id: 'r1',
      store_id: 's1',
      service: 'test',
    });
  });
});

test('secrets and personal data are removed from a logged object', () => {
  const secret = 'hunter2';
  const [line] = logged((log) =>
    log.info({ client_secret: secret, body: { email: secret, nfc_cmac: secret, staff_token: secret }, authorization: secret }, 'oops'),
  );
  expect(JSON.stringify(line)).not.toContain(secret);
});

test('what was logged keeps its secrets: they are removed from a copy', () => {
  const body = { email: 'a@example.com', items: 2 };
  const [line] = logged((log) => log.info({ body, password: 'hunter2', store: null }, 'oops'));
  expect(line).toMatchObject({ body: { email: '[removed]', items: 2 }, password: '[removed]', store: null });
  expect(body.email).toBe('a@example.com');
});

test('a logged error has type, place and constraint, and none of the values that it or its causes quote', () => {
  const secret = 'zq"hunter2"qz';
  const quoting = Object.assign(new Error(`invalid input syntax for type uuid: "${secret}"`), { code: '22P02', where: secret });
  const wrapped = Object.assign(new Error(quoting.message, { cause: quoting }), { sql: 'select $1', values: [secret] });
  const doubled = Object.assign(new Error('duplicate key value violates unique constraint "one_phone"'), {
    code: '23505',
    constraint: 'one_phone',
    detail: `Key (phone)=(${secret}) already exists.`,
  });
  const [first, ...others] = logged((log) => {
    log.error({ err: new TypeError('it broke', { cause: doubled }) }, 'failed');
    log.error({ err: wrapped }, 'failed');
    log.error({ error: doubled }, 'failed');
    log.error(wrapped, 'failed');
    log.error({ err: new InvalidInputError(quoting.message) }, 'failed');
    for (const text of ['zqhunter2', '{"phone": zqhunter2']) log.error({ err: thrownBy(() => JSON.parse(text)) }, 'failed');
    log.error({ err: 'zqhunter2' }, 'failed');
  });
  expect(others).toHaveLength(7);
  expect(JSON.stringify([first, ...others])).not.toContain('hunter2');
  expect(first).toMatchObject({
    err: {
      type: 'TypeError',
      message: 'it broke',
      stack: expect.stringContaining('log.test.ts'),
      cause: { code: '23505', constraint: 'one_phone', message: doubled.message },
    },
  });
  expect(others[0]).toMatchObject({
    err: { message: 'invalid input syntax for type uuid: "…"', stack: expect.stringContaining('log.test.ts') },
  });
});

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

test('work continues the trace of a traceparent, and a repeat links to it instead', async () => {
  let traceparent: string | undefined;
  await inSpan('sender', {}, async () => {
    traceparent = currentTraceparent();
  });
  await inSpan('receiver', { parent: continuing(traceparent) }, async (span) => {
    expect(span.spanContext().traceId).toBe(traceparent?.split('-')[1]);
  });
  await inSpan('repeat', { parent: freshTrace(), links: linkTo(traceparent) }, async (span) => {
    expect(span.spanContext().traceId).not.toBe(traceparent?.split('-')[1]);
  });
  expect(spans.getFinishedSpans().find(({ name }) => name === 'repeat')?.links[0]?.context.traceId).toBe(traceparent?.split('-')[1]);
});
