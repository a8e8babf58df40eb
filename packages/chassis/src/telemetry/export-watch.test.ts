import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { sendSpansTo } from './collector.ts';
import { watchExports } from './export-watch.ts';
import { createLog } from './log.ts';
import { inSpan, startTelemetry } from './telemetry.ts';

test('a collector that is down is logged once, and once when it is back', async () => {
  let down = true;
  let refused = 0;
  const collector = createServer((request, response) => {
    request.resume();
    if (down) refused += 1;
    response.writeHead(down ? 400 : 200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://user:secret@127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const lines: string[] = [];
  const log = createLog('orders', 'info', { write: (line) => void lines.push(line) });
  const processor = sendSpansTo(endpoint, watchExports(endpoint, log));
  const telemetry = startTelemetry({ service: 'orders', processors: [processor] });
  const messages = () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  const exportOne = async () => {
    await inSpan('work', {}, async () => {});
    await processor.forceFlush().catch(() => {});
  };

  for (const times of [1, 2, 3])
    await until(
      async () => {
        await exportOne();
        return refused >= times;
      },
      { describe: 'a refused export' },
    );
  await until(async () => messages().length > 0, { describe: 'the log line' });
  down = false;
  await exportOne();
  await until(async () => messages().length > 1, { describe: 'the second log line' });
  await exportOne();
  expect(messages()).toEqual(['the collector takes no telemetry: spans are dropped until it does', 'the collector takes telemetry again']);
  expect(lines.join('')).not.toContain('secret');
  await telemetry.stop();
  collector.close();
});
