import type { ServerResponse } from 'node:http';
import type { MessageFault } from './message-faults.ts';

/** The response of a simulated provider; `lost` closes the connection instead. */
export type Reply = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown } | 'lost';

/** Adds the Retry-After header that the fault asks for. */
export const unavailableFor = ({ retryAfterSeconds }: MessageFault, answer: Exclude<Reply, 'lost'>): Reply =>
  retryAfterSeconds === undefined ? answer : { ...answer, headers: { 'Retry-After': String(retryAfterSeconds) } };

/** Sends a response as JSON. */
export function sendAnswer(response: ServerResponse, answer: Reply): void {
  if (answer === 'lost') {
    response.destroy();
    return;
  }
  response.writeHead(answer.status, { 'Content-Type': 'application/json; charset=UTF-8', ...answer.headers });
  response.end(JSON.stringify(answer.body));
}
