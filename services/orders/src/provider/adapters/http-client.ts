import type { IncomingMessage } from 'node:http';
import Stripe from 'stripe';

/** The response is not from the provider's interface: an egress proxy responds with a page or a sentence of its own. */
export class UnusableResponse extends Error {
  override readonly name = 'UnusableResponse';
}

type Client = ReturnType<typeof Stripe.createNodeHttpClient>;
type Response = Awaited<ReturnType<Client['makeRequest']>>;

/** Characters of a response; a page of a hundred objects has a tenth of it. A longer text could exhaust the process's memory. */
const longestBody = 16 * 1024 * 1024;

/**
 * The HTTP client of the provider's library, which reads each response to its end before the library sees it. The library trusts a body: a
 * JSON string or number makes it throw an error that cannot be caught. A response that is cut off, too long, too slow or malformed counts
 * as lost, so the library repeats the request under its key. From status 500 the provider may keep the error, so it stays an error.
 */
export function createHttpClient(): Client {
  const client = Stripe.createNodeHttpClient();
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(...request: Parameters<Client['makeRequest']>) {
      const response = await client.makeRequest(...request);
      const status = response.getStatusCode();
      const read = await contentOf(response, request[7]).then(
        (content) => (isUsable(content, status) ? { content } : { fault: new UnusableResponse(`a response ${status} of no known form`) }),
        (fault: unknown) => ({ fault }),
      );
      if ('fault' in read && status < 500) throw read.fault;
      return Object.assign(response, { toJSON: () => ('fault' in read ? Promise.reject(read.fault) : Promise.resolve(read.content)) });
    },
  };
}

async function contentOf(response: Response, timeoutMs: number): Promise<unknown> {
  const stream = response.getRawResponse() as IncomingMessage;
  const end = (why: string) => stream.destroy(new UnusableResponse(why));
  // The library's own timer restarts with each byte.
  const timer = setTimeout(end, timeoutMs, 'a response that does not end in time');
  let length = 0;
  stream.on('error', () => {});
  stream.on('data', (part: string) => {
    length += part.length;
    if (length > longestBody) end('a response that is too long');
  });
  try {
    return await response.toJSON();
  } finally {
    clearTimeout(timer);
  }
}

function isUsable(content: unknown, status: number): boolean {
  if (!isObject(content)) return false;
  if (status >= 400 || content.error) return isObject(content.error) && isError(content.error);
  return content.object === undefined || content.object === 'list'
    ? Array.isArray(content.data) && content.data.every(isNamed)
    : typeof content.object === 'string';
}

const isError = ({ type, code, message }: Readonly<Record<string, unknown>>): boolean =>
  (typeof type === 'string' || typeof code === 'string') && typeof (message ?? '') === 'string';

/** The library finds the next page of a list by the id of the last object. */
const isNamed = (item: unknown): boolean => isObject(item) && typeof item.id === 'string';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
