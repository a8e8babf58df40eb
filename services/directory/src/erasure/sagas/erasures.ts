import { RpcUnavailable } from '@corner/chassis';
import {
  type directory,
  erasingServices,
  exportCustomerOf,
  Problem,
  type ReplyOf,
  type RequiredService,
  type RpcInput,
  type RpcOutput,
  readErasureAt,
} from '@corner/contracts';
import type { Context } from '../../context.ts';
import { isDone } from '../rules.ts';
import { type ErasureRow, exportedSections, openErasures, type Report, saveReports } from '../tables/erasures.ts';

export async function collectErasures(context: Context): Promise<void> {
  for (const erasure of await openErasures(context.database)) {
    const asked = erasingServices.filter((service) => erasure.reports[service]?.state !== 'done');
    const replies = await Promise.all(asked.map((service) => reportOf(context, erasure, service)));
    const found = Object.fromEntries(replies.flatMap((report) => (report ? [[report.service, report]] : [])));
    const reports = { ...erasure.reports, ...found };
    const finished = isDone(reports);
    if (finished || JSON.stringify(reports) !== JSON.stringify(erasure.reports))
      await saveReports(context.database, { ...erasure, reports }, finished ? context.now() : null);
  }
}

/** Returns a service's report of an erasure; null while it does not answer, or has not begun. */
async function reportOf({ call, log }: Context, { customer_id, sequence }: ErasureRow, service: RequiredService): Promise<Report | null> {
  try {
    const { erasure } = await call(readErasureAt(service), { customer_id });
    if (!erasure || erasure.sequence < sequence) return null;
    return { service, state: erasure.finished_at === null ? 'running' : 'done', steps: erasure.steps, kept: erasure.kept };
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    log.warn({ err: error, peer: service }, 'a service does not say what it has erased yet');
    return null;
  }
}

type Export = ReplyOf<typeof directory.exportMe>;

/** Reads everything that is held of a customer, at every service. Throws UPSTREAM_UNAVAILABLE while one does not answer: no export is partial. */
export async function exportCustomer(context: Context, customerId: string): Promise<Export> {
  const own = (await exportedSections(context.database, customerId)).map((section) => ({ service: 'directory', ...section }));
  const others = await Promise.all(erasingServices.map((service) => sectionsOf(context, service, customerId)));
  const sections = [own, ...others].flat().filter(({ rows }) => rows.length > 0);
  return { customer_id: customerId, exported_at: context.now().toISOString(), sections };
}

async function sectionsOf({ call }: Context, service: RequiredService, customerId: string): Promise<Export['sections']> {
  const sections = new Map<string, Record<string, unknown>[]>();
  let from: RpcInput<ReturnType<typeof exportCustomerOf>>['from'] | null = { section: 0, after: '' };
  try {
    while (from) {
      const page: RpcOutput<ReturnType<typeof exportCustomerOf>> = await call(exportCustomerOf(service), { customer_id: customerId, from });
      sections.set(page.section, [...(sections.get(page.section) ?? []), ...page.rows]);
      from = page.next;
    }
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    throw new Problem('UPSTREAM_UNAVAILABLE', {
      message: `Your data cannot be read right now: ${service} does not answer. Nothing is left out, so try again.`,
      retryAfterSeconds: 5,
      cause: error,
    });
  }
  return [...sections].map(([of, rows]) => ({ service, of, rows }));
}
