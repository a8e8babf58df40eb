import { type PrinterOptions, type SimulatedPrinter, simulatePrinter } from '@corner/sandbox/printers';
import { sql } from 'slonik';
import { z } from 'zod';
import { type ApiResponse, worker } from '../../testing/callers.ts';
import type { OpenStore, Running } from '../../testing/running.ts';

export interface KitchenPrinter {
  readonly id: string;
  readonly url: string;
  readonly device: SimulatedPrinter;
  listed(): Promise<ApiResponse['body']>;
}

export const printersOf = (store: OpenStore): string => `/api/v1/orders/stores/${store.id}/printers`;

export async function addKitchenPrinter(
  running: Running,
  store: OpenStore,
  options: Omit<PrinterOptions, 'url'> = {},
  body: Record<string, unknown> = {},
): Promise<KitchenPrinter> {
  const owner = worker(running, store, 'merchant');
  const added = await owner.call('POST', printersOf(store), { name: 'Kitchen', ...body });
  const { printer, url_path } = added.body;
  const url = `${running.service.url}${url_path}`;
  return {
    id: printer.id,
    url,
    device: simulatePrinter({ url, ...options }),
    listed: async () => (await owner.call('GET', printersOf(store))).body.printers.find(({ id }: { id: string }) => id === printer.id),
  };
}

/** Polls until no further ticket is offered. Returns the tickets printed. */
export async function printAll({ device }: KitchenPrinter): Promise<readonly string[]> {
  const before = device.printed.length;
  for (let turns = 0; (await device.poll())?.jobReady; turns += 1)
    if (turns > 50) throw new Error('the printer is offered tickets without end');
  return device.printed.slice(before).map(({ text }) => text);
}

export async function pollRaw(url: string, body: unknown = { statusCode: '200%20OK' }): Promise<ApiResponse> {
  const response = await fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  return { status: response.status, body: await response.json().catch(() => null), headers: response.headers };
}

export const takeRaw = (url: string, token: string, type = 'text/plain'): Promise<Response> =>
  fetch(`${url}?${new URLSearchParams({ mac: '00:11:62:00:00:02', type, token })}`);

export const confirmRaw = (url: string, token: string, code = '200 OK'): Promise<Response> =>
  fetch(`${url}?${new URLSearchParams({ mac: '00:11:62:00:00:02', code, token })}`, { method: 'DELETE' });

export const ticketsOf = ({ service }: Running, printerId: string) =>
  service.database.any(sql.type(
    z.object({ order_id: z.string(), kind: z.string(), copy: z.number(), printed: z.boolean(), failures: z.number() }),
  )`
    select order_id, kind, copy, printed_at is not null as printed, failures from ticket where printer_id = ${printerId} order by id`);
