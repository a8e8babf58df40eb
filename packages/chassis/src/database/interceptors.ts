import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type Interceptor, type QueryResultRow, SchemaValidationError } from 'slonik';
import { currentLogFields } from '../telemetry/log.ts';
import { rowsAttribute } from '../telemetry/skip-idle-jobs.ts';
import { currentTracer } from '../telemetry/telemetry.ts';

export const validateRows: Interceptor = {
  name: 'validate-rows',
  transformRow({ resultParser }, query, row) {
    if (!resultParser) return row;
    const result = resultParser['~standard'].validate(row);
    if (result instanceof Promise) throw new TypeError('row schemas are synchronous');
    if (result.issues) throw new SchemaValidationError(query, row, result.issues);
    return result.value as QueryResultRow;
  },
};

const spans = new WeakMap<object, Span>();

export function traceStatements(url: string): Interceptor {
  const { hostname, port, pathname } = new URL(url);
  const place: Attributes = {
    'db.system.name': 'postgresql',
    'db.namespace': decodeURIComponent(pathname.slice(1)),
    'server.address': hostname,
    'server.port': Number(port || 5432),
  };
  return {
    name: 'trace-statements',
    beforeQueryExecution(context, query) {
      if (!trace.getActiveSpan()?.isRecording()) return null;
      const name = statementName(query);
      const attributes: Attributes = {
        ...place,
        'db.query.text': query.sql,
        'db.query.summary': name,
        'db.operation.name': firstWordOf(query),
      };
      spans.set(context.sandbox, currentTracer().startSpan(name, { kind: SpanKind.CLIENT, attributes }));
      return null;
    },
    afterQueryExecution(context, _query, result) {
      const span = spans.get(context.sandbox);
      span?.setAttribute(rowsAttribute, result.rowCount);
      span?.end();
      return null;
    },
    queryExecutionError(context, _query, error) {
      const span = spans.get(context.sandbox);
      const { code } = (error.cause ?? error) as { readonly code?: unknown };
      span?.setAttributes({ 'error.type': error.name, ...(typeof code === 'string' ? { 'db.response.status_code': code } : {}) });
      span?.setStatus({ code: SpanStatusCode.ERROR, message: error.name });
      span?.end();
      return null;
    },
  };
}

const statementName = (query: { readonly name?: string; readonly sql: string }): string => query.name ?? `sql ${firstWordOf(query)}`;

const firstWordOf = ({ sql }: { readonly sql: string }): string => /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'statement';

export type WatchStatement = (statement: string, name: string | undefined, isBackground: boolean) => void;

export const watchStatements = (watch: WatchStatement): Interceptor => ({
  name: 'watch-statements',
  beforeQueryExecution(_context, query) {
    watch(query.sql, query.name, currentLogFields().background !== undefined);
    return null;
  },
});
