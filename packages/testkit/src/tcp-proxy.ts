import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface TcpProxy extends AsyncDisposable {
  readonly url: string;
  delay(milliseconds: number): void;
  cut(): void;
  /** Connections stay open and transport nothing, as when the other machine has disappeared. Data sent meanwhile is lost. */
  deaden(): void;
  mend(): void;
  /** Like `deaden`, but data sent meanwhile arrives at `thaw`. */
  freeze(): void;
  thaw(): void;
  /**
   * Silences the open connections without closing them; new ones work. With `serverGivesUpMs` the server's side then ends, as when its
   * kernel finds the client gone.
   */
  strand(serverGivesUpMs?: number): void;
  redirect(serverUrl: string): void;
}

export interface TcpProxyOptions {
  readonly cut?: boolean;
  readonly watch?: () => (bytes: Buffer) => void;
}

interface Switches {
  target: URL;
  state: 'whole' | 'cut' | 'dead';
  delayMs: number;
  thawed: PromiseWithResolvers<void> | null;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  stranded: boolean;
}

export async function tcpProxyTo(serverUrl: string, { cut = false, watch }: TcpProxyOptions = {}): Promise<TcpProxy> {
  const switches: Switches = { target: new URL(serverUrl), state: cut ? 'cut' : 'whole', delayMs: 0, thawed: null };
  const pairs = new Set<Pair>();
  const listener = createServer((near) => {
    if (switches.state === 'cut') return void near.destroy();
    const pair = join(near, switches);
    pairs.add(pair);
    if (watch) near.on('data', watch());
    for (const socket of [pair.near, pair.far]) socket.on('close', () => pair.near.destroyed && pair.far.destroyed && pairs.delete(pair));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  const controls = controlsOf(switches, pairs);
  return {
    url: url.href,
    ...controls,
    async [Symbol.asyncDispose]() {
      listener.close();
      controls.cut();
    },
  };
}

const controlsOf = (switches: Switches, pairs: ReadonlySet<Pair>): Omit<TcpProxy, 'url' | typeof Symbol.asyncDispose> => ({
  delay(milliseconds) {
    switches.delayMs = milliseconds;
  },
  cut() {
    switches.state = 'cut';
    for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
  },
  deaden() {
    switches.state = 'dead';
  },
  mend() {
    switches.state = 'whole';
  },
  freeze() {
    switches.thawed = Promise.withResolvers();
  },
  thaw() {
    switches.thawed?.resolve();
    switches.thawed = null;
  },
  strand(serverGivesUpMs) {
    const stranded = [...pairs];
    for (const pair of stranded) pair.stranded = true;
    if (serverGivesUpMs === undefined) return;
    setTimeout(() => {
      for (const { far } of stranded) far.destroy();
    }, serverGivesUpMs).unref();
  },
  redirect(otherUrl) {
    switches.target = new URL(otherUrl);
  },
});

function join(near: Socket, switches: Switches): Pair {
  const { port, hostname } = switches.target;
  const far = connect({ port: Number(port), host: hostname, noDelay: true });
  const pair: Pair = { near: near.setNoDelay(true), far, stranded: false };
  passOn(pair, near, far, switches);
  passOn(pair, far, near, switches);
  return pair;
}

const idle = Promise.resolve();

function passOn(pair: Pair, from: Socket, to: Socket, switches: Switches): void {
  let last: Promise<unknown> = idle;
  const isPassing = () => switches.state !== 'dead' && !pair.stranded;
  const next = (step: () => void): void => {
    const { delayMs, thawed } = switches;
    if (delayMs === 0 && thawed === null && last === idle) {
      step();
      return;
    }
    const own = Promise.all([last, delayMs > 0 ? pause(delayMs) : null, thawed?.promise]).then(() => {
      if (isPassing()) step();
      if (last === own) last = idle;
    });
    last = own;
  };
  from.on('data', (data) => {
    if (isPassing()) next(() => to.write(data));
  });
  from.on('error', () => {});
  from.on('close', () => {
    if (isPassing()) next(() => to.destroy());
  });
}
