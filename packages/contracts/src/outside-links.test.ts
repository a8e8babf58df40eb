import { expect, test } from '@jest/globals';
import { outsideAddress, outsideLink } from './outside-links.ts';

test('the trace and the minutes around it are in the address, encoded', () => {
  const logs = 'https://logs.example/?q={trace_id}&from={from}&to={to}&ms={from_ms}-{to_ms}&panes={"a":1}';
  expect(outsideAddress.parse(logs)).toBe(logs);
  expect(outsideLink(logs, 'a/b', '2026-05-01T11:00:00.000000Z')).toBe(
    'https://logs.example/?q=a%2Fb&from=2026-05-01T10%3A55%3A00.000Z&to=2026-05-01T11%3A05%3A00.000Z&ms=1777632900000-1777633500000&panes={"a":1}',
  );
  expect([outsideLink(undefined, 'a', '2026-05-01T11:00:00Z'), outsideLink(logs, null, '2026-05-01T11:00:00Z')]).toEqual([null, null]);
});

test.each([
  'https://jaeger.example/trace',
  'ftp://jaeger.example/{trace_id}',
  'javascript:alert(1)//{trace_id}',
  'https://{trace_id}.example/',
  'https://jaeger.example/{trace_id}?at={when}',
  'https://jaeger .example/{trace_id}',
])('%s is refused', (address) => {
  expect(outsideAddress.safeParse(address).success).toBe(false);
});
