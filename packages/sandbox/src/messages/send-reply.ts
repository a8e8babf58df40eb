import type { ServerResponse } from 'node:http';
import type { MessageFault } from './message-faults.ts';

export type Reply = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown } | 'lost';

export const unavailableFor = ({ retryAfterSeconds }: MessageFault, reply: Exclude<Reply, 'lost'>): Reply =>
  retryAfterSeconds === undefined ? reply : { ...reply, headers: { 'Retry-After': String(retryAfterSeconds) } };

export function sendReply(response: ServerResponse, reply: Reply): void {
  if (reply === 'lost') {
    response.destroy();
    return;
  }
  response.writeHead(reply.status, { 'Content-Type': 'application/json; charset=UTF-8', ...reply.headers });
  response.end(JSON.stringify(reply.body));
}
