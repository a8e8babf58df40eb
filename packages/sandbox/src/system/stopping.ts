import { removeRunFile } from '@corner/operator';
import type { Ledger } from './ledger.ts';
import type { ServiceProcess } from './service-process.ts';

export interface Stopping {
  readonly signal: AbortSignal;
  process(process: ServiceProcess): ServiceProcess;
  server<S extends { stop(): Promise<void> }>(server: S): S;
  giveUp(): void;
  stop(): Promise<void>;
}

export function createStopping(dataDir: string, ledger: Ledger): Stopping {
  const processes: ServiceProcess[] = [];
  const servers: { stop(): Promise<void> }[] = [];
  const controller = new AbortController();
  let ending: Promise<void> | null = null;

  async function end(): Promise<void> {
    controller.abort(new Error('the system is being stopped'));
    const isOuter = ({ name }: ServiceProcess) => name.startsWith('gateway') || name === 'console' || name === 'shop';
    const isAround = ({ name }: ServiceProcess) => name === 'payments' || name === 'messages';
    await stopAll(processes.filter(isOuter));
    await stopAll(processes.filter((process) => !isOuter(process) && !isAround(process)));
    await stopAll(processes.filter(isAround));
    await stopAll(servers);
    removeRunFile(dataDir);
    ledger.close();
  }

  return {
    signal: controller.signal,
    process(process) {
      processes.push(process);
      return process;
    },
    server(server) {
      servers.push(server);
      return server;
    },
    giveUp() {
      controller.abort(new Error('the start was given up'));
      for (const process of processes) process.kill('SIGTERM');
    },
    stop() {
      ending ??= end();
      return ending;
    },
  };
}

const stopAll = async (all: readonly { stop(): Promise<unknown> }[]): Promise<void> => {
  await Promise.allSettled(all.map((one) => one.stop()));
};
