import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export interface HttpRequest {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each response has JSON of its own
  readonly json: any;
}

export const open = (url: string, { method = 'GET', headers = {}, agent = new Agent() }: HttpRequest = {}): ClientRequest =>
  httpRequest(url, { method, headers, agent });

export const responseTo = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => request.once('response', resolve).once('error', reject));

/** Rejects when the response is cut off. */
export async function readResponse(response: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}

export async function call(url: string, sent: HttpRequest = {}): Promise<HttpResponse> {
  const request = open(url, sent);
  const head = responseTo(request);
  request.end(sent.body);
  return await readResponse(await head);
}

export async function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}
