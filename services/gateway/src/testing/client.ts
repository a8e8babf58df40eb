import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export interface Sent {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON it is
  readonly json: any;
}

/** Opens a request and leaves writing and ending it to the test. */
export const open = (url: string, { method = 'GET', headers = {}, agent = new Agent() }: Sent = {}): ClientRequest =>
  httpRequest(url, { method, headers, agent });

/** The head of the answer. Rejects when the connection ends without one. */
export const headOf = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => request.once('response', resolve).once('error', reject));

/** The whole answer. Rejects when it is cut off. */
export async function received(answer: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}

/** Sends a request and reads the answer. */
export async function call(url: string, sent: Sent = {}): Promise<Received> {
  const request = open(url, sent);
  const head = headOf(request);
  request.end(sent.body);
  return await received(await head);
}

/** Writes bytes to a connection of their own and reads until the other side ends it: for what no HTTP client would send. */
export async function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}
