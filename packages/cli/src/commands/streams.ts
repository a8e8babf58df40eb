import { once } from 'node:events';
import { createServer } from 'node:http';
import { ensureStreams, keepStreams, type StreamsReport, streamsSettings } from '@corner/nats';
import { jetstreamManager } from '@nats-io/jetstream';
import { Command } from 'commander';
import { z } from 'zod';
import { connectToNats, type NatsOptions } from '../operator/connect-to-nats.ts';
import { withDataFolder } from '../options.ts';
import { Failure, Misuse } from '../screen/failure.ts';
import { green, type Output, red, standardOutput } from '../screen/output.ts';

interface Options extends NatsOptions {
  readonly once?: true;
  readonly json?: true;
}

export const streamsCommand = withDataFolder(new Command('streams'))
  .description('Makes the streams of NATS and the consumers of the services where they are missing, and keeps them until it is stopped.')
  .option('--nats <address>', 'the NATS server (default: NATS_URL, or that of the running system)')
  .option('--once', 'look once; exit code 1 when something stays wrong')
  .option('--json', 'print JSON: with --once what was done, otherwise a line for each thing')
  .addHelpText(
    'after',
    `
Example:
  NATS_USER=streams NATS_PASSWORD_FILE=password npx corner streams --nats nats://host:4222

It logs in as the user that nats-users names streams: no service may make or change a stream. NATS_NAMESPACE, NATS_REPLICAS and
CONSUMER_PARTS are its settings, and PORT, where it then serves /livez and /readyz. It may run any number of times at once. npm start does the same by itself.
`,
  )
  .action(async (options: Options) => {
    const settings = settingsOf(process.env);
    const output = standardOutput();
    const what = 'no stream was made';
    if (options.once) {
      const connection = await connectToNats(options, { name: 'corner streams', what });
      const report = await ensureStreams(await jetstreamManager(connection, { checkAPI: false }), settings);
      await connection.close();
      if (options.json) output.json(report);
      else for (const line of linesOf(output, report)) output.write(line);
      if (report.faults.length > 0) process.exitCode = 1;
      return;
    }
    const stop = new AbortController();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
    const connection = await connectToNats(options, { name: 'corner streams', what, lasting: true });
    let faults: readonly string[] = ['the streams were not looked at yet'];
    await using _health = process.env.PORT ? await serveHealth(process.env, () => faults) : null;
    const log = (ok: boolean) => (sentence: string) =>
      options.json ? output.json({ ok, sentence }) : output.write(lineOf(output, ok, sentence));
    await keepStreams({
      ...settings,
      connection,
      log: { info: log(true), error: log(false) },
      stopped: stop.signal,
      looked: (report) => {
        faults = report.faults;
      },
    });
    await connection.close();
    if (!stop.signal.aborted) throw new Failure('the streams are no longer kept', 'the connection to NATS was closed', 'start it again');
  });

function settingsOf(env: NodeJS.ProcessEnv) {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const { data, error } = z.object(streamsSettings).safeParse(present);
  if (!data) throw new Misuse('no stream was made', error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  return { namespace: data.NATS_NAMESPACE, replicas: data.NATS_REPLICAS, parts: data.CONSUMER_PARTS };
}

function linesOf(output: Output, { done, faults }: StreamsReport): string[] {
  const lines = [...done.map((sentence) => lineOf(output, true, sentence)), ...faults.map((sentence) => lineOf(output, false, sentence))];
  return lines.length > 0 ? lines : [lineOf(output, true, 'all streams and consumers are as they should be')];
}

const lineOf = (output: Output, ok: boolean, sentence: string): string =>
  `  ${ok ? green(output, 'ok') : red(output, 'no')}  ${sentence}\n`;

async function serveHealth({ PORT, HOST }: NodeJS.ProcessEnv, faults: () => readonly string[]): Promise<AsyncDisposable> {
  const server = createServer(({ url }, response) => {
    const found = url === '/readyz' ? faults() : [];
    const status = url !== '/livez' && url !== '/readyz' ? 404 : found.length > 0 ? 503 : 200;
    const body = status === 404 ? 'not found' : found.length > 0 ? 'unavailable' : 'ok';
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ status: body, faults: found }));
  });
  await once(server.listen(Number(PORT), HOST), 'listening');
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
