import type { Ledger } from './ledger.ts';
import { removeRunFile } from './run-file.ts';
import type { ServiceProcess } from './service-process.ts';

/** What has been started so far, and the order it is ended in. */
export interface Stopping {
  /** Aborted when the end begins. */
  readonly signal: AbortSignal;
  /** Keeps a process for the end, and answers it. */
  process(process: ServiceProcess): ServiceProcess;
  server<S extends { stop(): Promise<void> }>(server: S): S;
  /** Ends the processes that are still coming up, and tells those who look at {@link signal} to begin nothing more. */
  giveUp(): void;
  /** Ends everything; repeating it waits for the same end. */
  stop(): Promise<void>;
}

export function createStopping(dataDir: string, ledger: Ledger): Stopping {
  const processes: ServiceProcess[] = [];
  const servers: { stop(): Promise<void> }[] = [];
  const controller = new AbortController();
  let ending: Promise<void> | null = null;

  /** Whoever takes requests goes first, whoever keeps data last: nothing is asked of what is gone already. */
  async function end(): Promise<void> {
    controller.abort(new Error('the system is being stopped'));
    const isOuter = ({ name }: ServiceProcess) => name === 'gateway';
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
