import type { Ledger } from './ledger.ts';
import { removeRunFile } from './run-file.ts';
import type { ServiceProcess } from './service-process.ts';

/** What has been started so far; ends it in the right order. */
export interface Stopping {
  /** Aborted when the stop begins. */
  readonly signal: AbortSignal;
  /** Registers a process to be stopped, and returns it. */
  process(process: ServiceProcess): ServiceProcess;
  server<S extends { stop(): Promise<void> }>(server: S): S;
  /** Ends the processes that are still starting, and aborts {@link signal} so that nothing more is started. */
  giveUp(): void;
  /** Ends everything. A second call waits for the first one's end. */
  stop(): Promise<void>;
}

export function createStopping(dataDir: string, ledger: Ledger): Stopping {
  const processes: ServiceProcess[] = [];
  const servers: { stop(): Promise<void> }[] = [];
  const controller = new AbortController();
  let ending: Promise<void> | null = null;

  /**
   * Stops the console and the gateway first, then the services, then the simulators, and the servers last, so that each part can reach what it needs
   * while it drains.
   */
  async function end(): Promise<void> {
    controller.abort(new Error('the system is being stopped'));
    const isOuter = ({ name }: ServiceProcess) => name.startsWith('gateway') || name === 'console';
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
