import { z } from 'zod';
import { type PrintedLine, readPlainText, readStarCommands, Unprintable } from './read-print-data.ts';

export interface PrinterOptions {
  readonly url: string;
  readonly mac?: string;
  readonly mediaTypes?: readonly string[];
  readonly printWidth?: number;
  readonly codePages?: string;
}

export interface PrintedTicket {
  readonly jobToken: string;
  readonly type: string;
  readonly lines: readonly PrintedLine[];
  readonly text: string;
}

export interface SimulatedPrinter {
  readonly printed: readonly PrintedTicket[];
  /**
   * Reports the status, and prints and confirms a ready ticket. Returns the reply about jobs; null while away. Throws when the server
   * breaks the protocol.
   */
  poll(): Promise<{ readonly jobReady: boolean; readonly code?: string } | null>;
  away(isAway: boolean): void;
  status(status: string): void;
  loseConfirmation(): void;
  confirmAgain(jobToken: string, code?: string): Promise<number>;
}

const Reply = z.object({
  jobReady: z.boolean(),
  mediaTypes: z.array(z.string()).nullish(),
  jobToken: z.string().nullish(),
  deleteMethod: z.enum(['DELETE', 'GET']).nullish(),
});

const mostBytes = 64 * 1024;

export function simulatePrinter({ url, mac = '00:11:62:00:00:01', ...options }: PrinterOptions): SimulatedPrinter {
  const { mediaTypes = ['application/vnd.star.starprntcore', 'text/plain'] } = options;
  const printed: PrintedTicket[] = [];
  let isAway = false;
  let status = '200 OK';
  let losesConfirmation = false;

  const confirm = async (method: 'DELETE' | 'GET', jobToken: string, code: string): Promise<number> => {
    if (losesConfirmation) {
      losesConfirmation = false;
      return 0;
    }
    const query = new URLSearchParams({ mac, code, token: jobToken });
    const response = await fetch(`${url}?${query}${method === 'GET' ? '&delete' : ''}`, { method });
    await response.arrayBuffer();
    return response.status;
  };

  const take = async (jobToken: string, offered: readonly string[]): Promise<string> => {
    const type = mediaTypes.find((known) => offered.includes(known));
    if (!type) return '510 Incompatible media type';
    const response = await fetch(`${url}?${new URLSearchParams({ mac, type, token: jobToken })}`, { headers: headersOf(options) });
    const data = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) return '520 Download failed';
    if (data.length > mostBytes) return '521 Job too large';
    if (response.headers.get('content-type')?.split(';', 1)[0] !== type) return '510 Incompatible media type';
    try {
      const lines = type === 'text/plain' ? readPlainText(data) : readStarCommands(data);
      printed.push({ jobToken, type, lines, text: lines.map(({ text }) => text).join('\n') });
      return '200 OK';
    } catch (error) {
      return error instanceof Unprintable ? `${error.code} ${error.message}` : '511 Media decoding error';
    }
  };

  return {
    printed,
    async poll() {
      if (isAway) return null;
      const body = JSON.stringify({
        status: '23 6 0 0 0 0 0 0 0',
        printerMAC: mac,
        statusCode: encodeURIComponent(status),
        clientAction: null,
      });
      const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      if (response.status !== 200) throw new Error(`the server replied to the poll with ${response.status}`);
      const { jobReady, jobToken, mediaTypes: offered, deleteMethod } = Reply.parse(await response.json());
      if (!jobReady || !status.startsWith('2')) return { jobReady };
      if (!jobToken || !offered?.length) throw new Error('the server offers a job without a token or without media types');
      const code = await take(jobToken, offered);
      await confirm(deleteMethod ?? 'DELETE', jobToken, code);
      return { jobReady, code };
    },
    away(next) {
      isAway = next;
    },
    status(next) {
      status = next;
    },
    loseConfirmation() {
      losesConfirmation = true;
    },
    confirmAgain: (jobToken, code = '200 OK') => confirm('DELETE', jobToken, code),
  };
}

const headersOf = ({ printWidth, codePages }: Omit<PrinterOptions, 'url'>): Record<string, string> => ({
  'User-Agent': 'mC-Print3 (simulated)',
  ...(printWidth === undefined ? {} : { 'X-Star-Print-Width': String(printWidth) }),
  ...(codePages === undefined ? {} : { 'X-Star-Accept-Codepages': codePages }),
});
