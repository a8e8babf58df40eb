import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerAddress, type SMTPServerSession } from 'smtp-server';
import type { Deliver } from './inbox.ts';
import type { MessageFaults } from './message-faults.ts';

interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  readonly fd?: number | undefined;
  readonly faults: MessageFaults;
  readonly deliver: Deliver;
}

interface RunningSmtp extends AsyncDisposable {
  readonly port: number;
}

const largest = 1024 * 1024;

export async function startSmtp(options: SmtpOptions): Promise<RunningSmtp> {
  const { host, port, fd } = options;
  const sockets = new Map<number, Socket>();
  const { judgeRecipient, take } = createReceiver(options, ({ remotePort }) => sockets.get(remotePort)?.destroy());
  const server = new SMTPServer({
    banner: 'corner sandbox',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: largest,
    logger: false,
    onMailFrom: ({ address }, _session, done) =>
      done(isAddress(address) ? null : new Refusal(553, '5.1.7 The sender address is not a valid address')),
    onRcptTo: (address, session, done) => done(judgeRecipient(address, session)),
    onData: (stream, session, done) => {
      buffer(stream)
        .then((raw) => take(raw, stream.sizeExceeded, session))
        .then(done, () => done(new Refusal(554, '5.6.0 The message cannot be read')));
    },
  });
  server.server.on('connection', (socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.once('close', () => sockets.delete(remotePort));
  });
  server.on('error', () => {});
  const listening = fd === undefined ? server.listen(port, host) : server.server.listen({ fd });
  await Promise.race([once(listening, 'listening'), once(server, 'error').then(([fault]) => Promise.reject(fault))]);

  return {
    port: (listening.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(resolve));
      for (const socket of sockets.values()) socket.destroy();
      await closed;
    },
  };
}

function createReceiver({ faults, deliver }: SmtpOptions, hangUp: (session: SMTPServerSession) => void) {
  const losing = new WeakSet<SMTPServerSession>();
  return {
    judgeRecipient({ address }: SMTPServerAddress, session: SMTPServerSession): Refusal | null {
      if (!isAddress(address)) return new Refusal(553, '5.1.3 The recipient address is not a valid address');
      const fault = faults.take('smtp', address.toLowerCase());
      if (fault?.how === 'unavailable') return new Refusal(451, '4.3.0 Requested action aborted: local error in processing');
      if (fault?.how === 'too_many') return new Refusal(450, '4.7.1 Too much mail from you, try again later');
      if (fault?.how === 'refused') return new Refusal(550, '5.1.1 The mail account that you tried to reach does not exist');
      if (fault?.how === 'hang_up') hangUp(session);
      if (fault?.how === 'hang_up_after') losing.add(session);
      return null;
    },
    async take(raw: Buffer, tooLarge: boolean, session: SMTPServerSession): Promise<Refusal | null> {
      if (tooLarge) return new Refusal(552, '5.3.4 The message is larger than what is accepted here');
      const mail = await PostalMime.parse(raw);
      if (!mail.from?.address || !isAddress(mail.from.address)) return new Refusal(550, '5.7.1 The message lacks a valid From header');
      for (const { address } of session.envelope.rcptTo) deliver(messageOf(mail, address));
      if (losing.delete(session)) hangUp(session);
      return null;
    },
  };
}

class Refusal extends Error {
  readonly responseCode: number;
  constructor(code: number, message: string) {
    super(message);
    this.responseCode = code;
  }
}

const isAddress = (address: string): boolean => address.length <= 254 && /^[^\s@<>]{1,64}@[^\s@<>.]+(\.[^\s@<>.]+)+$/.test(address);

function messageOf(mail: Email, to: string): Parameters<Deliver>[0] {
  return {
    channel: 'email',
    by: 'smtp',
    to: to.toLowerCase(),
    from: mail.from?.address ?? null,
    title: mail.subject ?? '',
    text: (mail.text ?? '').trimEnd(),
    html: mail.html ?? null,
    data: {},
    collapseKey: null,
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  };
}
