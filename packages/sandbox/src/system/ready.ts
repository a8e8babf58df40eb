import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const intervalMs = 20;
const patienceMs = 300_000;
const answerMs = 10_000;
const silence = 'it does not answer';

export async function waitUntilReady(name: string, address: string, gone: Promise<Error>, withinMs = patienceMs): Promise<void> {
  let ended: Error | null = null;
  void gone.then((error) => {
    ended = error;
  });
  let last = silence;
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await pause(intervalMs)) {
    if (ended !== null) throw ended;
    const answer = await look(address);
    if (answer === null) return;
    last = answer;
  }
  throw new Error(`${name} was not ready within ${withinMs / 1000} s: ${last}`);
}

/**
 * Returns null when ready, else the fault. Its own connection and timer: under heavy load a fetch with a timed signal was seen never to
 * end.
 */
function look(address: string): Promise<string | null> {
  return new Promise((resolve) => {
    const request = get(address, { agent: false }, (response) => {
      text(response).then(
        (body) => resolve(response.statusCode === 200 ? null : body.slice(0, 500)),
        () => resolve(silence),
      );
    });
    const timer = setTimeout(() => {
      resolve('it does not answer in time');
      request.destroy();
    }, answerMs);
    request.on('error', () => resolve(silence));
    request.on('close', () => clearTimeout(timer));
  });
}
