import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type Interceptor, type QueryResultRow, SchemaValidationError } from 'slonik';

/** Parses every row by the schema its statement names. A row that does not fit is an error of the statement. */
export const validateRows: Interceptor = {
  name: 'validate-rows',
  transformRow({ resultParser }, query, row) {
    if (!resultParser) return row;
    const result = resultParser['~standard'].validate(row);
    if (result instanceof Promise) throw new TypeError('row schemas are synchronous');
    if (result.issues) throw new SchemaValidationError(query, row, result.issues as never);
    return result.value as QueryResultRow;
  },
};

const spans = new WeakMap<object, Span>();

/** Opens a span around every statement that runs within a recorded trace. */
export const traceStatements: Interceptor = {
  name: 'trace-statements',
  beforeQueryExecution(context, query) {
    if (!trace.getActiveSpan()?.isRecording()) return null;
    const attributes: Attributes = { 'db.system.name': 'postgresql', 'db.query.text': query.sql };
    spans.set(context.sandbox, trace.getTracer('corner').startSpan(statementName(query), { kind: SpanKind.CLIENT, attributes }));
    return null;
  },
  afterQueryExecution(context) {
    spans.get(context.sandbox)?.end();
    return null;
  },
  queryExecutionError(context, _query, error) {
    const span = spans.get(context.sandbox);
    span?.setStatus({ code: SpanStatusCode.ERROR, message: error.name });
    span?.end();
    return null;
  },
};

/** A prepared statement's own name, else its first word. */
const statementName = (query: { readonly name?: string; readonly sql: string }): string =>
  query.name ?? `sql ${/^\s*(\w+)/.exec(query.sql)?.[1] ?? 'statement'}`;

/** Calls `watch` with the text of every statement before it is sent, and with the name of a prepared one. */
export const watchStatements = (watch: (statement: string, name?: string) => void): Interceptor => ({
  name: 'watch-statements',
  beforeQueryExecution(_context, query) {
    watch(query.sql, query.name);
    return null;
  },
});
