import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

export interface CollectedSpan {
  readonly service: string;
  readonly resource: Attributes;
  readonly attributes: Attributes;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  /** OTLP's span kind: 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[] | undefined;
}

type Attributes = Readonly<Record<string, string | number | boolean>>;

const KeyValues = z
  .array(
    z.object({
      key: z.string(),
      value: z.object({
        stringValue: z.string().optional(),
        intValue: z.coerce.number().optional(),
        doubleValue: z.number().optional(),
        boolValue: z.boolean().optional(),
      }),
    }),
  )
  .default([])
  .transform(
    (list): Attributes =>
      Object.fromEntries(
        list.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
          key,
          stringValue ?? intValue ?? doubleValue ?? boolValue ?? '',
        ]),
      ),
  );

const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: KeyValues }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              kind: z.number(),
              attributes: KeyValues,
              links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly received: readonly { readonly path: string; readonly text: string }[];
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const received: { path: string; text: string }[] = [];
  // Idle connections stay open, since spans sent on a closing connection are lost.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    received.push({ path: request.url ?? '', text });
    for (const { resource, scopeSpans } of request.url === '/v1/traces' ? Export.parse(JSON.parse(text)).resourceSpans : []) {
      const service = String(resource.attributes['service.name'] ?? '');
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, service, resource: resource.attributes, parentSpanId: span.parentSpanId || null });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
