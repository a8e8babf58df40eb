import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { labels, nameEntryPoints } from './metric-labels.ts';
import { type Metrics, measure, observe, startMetrics } from './metrics.ts';
import { catalog } from './metrics-catalog.ts';
import { observeProcess } from './observe-process.ts';

let metrics: Metrics;

beforeEach(() => {
  metrics = startMetrics({ service: 'orders' });
});
afterEach(() => metrics.stop());

const series = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'));

describe('a metric', () => {
  test('is exported under its conventional name, with unit, service and labels', async () => {
    measure('http.server.request.duration', 0.03, {
      'http.request.method': 'POST',
      'http.route': '/api/v1/orders',
      'http.response.status_code': 200,
    });
    const text = await metrics.text();
    expect(text).toContain('# TYPE http_server_request_duration_seconds histogram');
    const labelled = 'http_request_method="POST",http_route="/api/v1/orders",http_response_status_code="200",service_name="orders"';
    expect(text).toContain(`http_server_request_duration_seconds_bucket{${labelled},le="0.025"} 0\n`);
    expect(text).toContain(`http_server_request_duration_seconds_bucket{${labelled},le="0.05"} 1\n`);
    expect(text).toContain(`http_server_request_duration_seconds_count{${labelled}} 1\n`);
  });

  test('that cannot be read is left out, also when it could be read before, and the others are exported', async () => {
    let away = false;
    observe(['corner.outbox.age'], (report) => {
      if (away) throw new Error('the database is away');
      report('corner.outbox.age', 3, {});
    });
    observe(['corner.outbox.backlog'], (report) => report('corner.outbox.backlog', 7, {}));
    expect(series(await metrics.text())).toContain('corner_outbox_age_seconds{service_name="orders"} 3');
    away = true;
    const text = await metrics.text();
    expect(series(text)).toContain('corner_outbox_backlog{service_name="orders"} 7');
    expect(series(text).filter((line) => line.startsWith('corner_outbox_age'))).toEqual([]);
    away = false;
    expect(series(await metrics.text())).toContain('corner_outbox_age_seconds{service_name="orders"} 3');
  });

  test('of the process itself is exported', async () => {
    observeProcess();
    const text = await metrics.text();
    for (const name of ['process_memory_usage_bytes', 'nodejs_eventloop_delay_p99_seconds', 'nodejs_eventloop_time_seconds_total'])
      expect(text).toContain(`\n${name}{`);
  });

  test('is not recorded before metrics are started', async () => {
    await metrics.stop();
    expect(() => measure('corner.redeliveries', 1, { 'corner.event.type': 'order.paid' })).not.toThrow();
    metrics = startMetrics({ service: 'orders' });
    expect(series(await metrics.text()).filter((line) => line.startsWith('corner_'))).toEqual([]);
  });
});

describe('labels', () => {
  test('take known values only: any other value is recorded as `other`, so time series stay few', async () => {
    const secrets = Array.from({ length: 3_000 }, () => randomUUID());
    for (const secret of secrets)
      measure('http.server.request.duration', 1, {
        'http.request.method': secret,
        'http.route': `/api/v1/orders/${secret}`,
        'http.response.status_code': secret,
      });
    for (const [name, { kind, labels: named }] of Object.entries(catalog))
      if (kind === 'counter' || kind === 'histogram')
        for (const secret of secrets.slice(0, 50))
          measure(name as 'corner.problems', 1, Object.fromEntries(named.map((label) => [label, secret])) as never);
    const text = await metrics.text();
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(series(text).filter((line) => line.startsWith('http_server_request_duration_seconds_count'))).toHaveLength(1);
    expect(text).toContain('http_request_method="other",http_route="other",http_response_status_code="other"');
  });

  test('have at most 500 values each', () => {
    for (const values of Object.values(labels)) expect(values.size).toBeLessThanOrEqual(500);
  });

  test('know the names of the entry points that a service added', async () => {
    nameEntryPoints('corner.job', ['expire-vouchers']);
    measure('corner.job.duration', 0.1, { 'corner.job': 'expire-vouchers', 'corner.outcome': 'ok' });
    expect(await metrics.text()).toContain('corner_job="expire-vouchers"');
  });
});
