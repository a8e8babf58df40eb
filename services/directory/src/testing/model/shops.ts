import type { ObjectKind, Role } from '@corner/contracts';
import { renewTemplates } from '../../offer/jobs.ts';
import type { TestProvider } from '../provider.ts';
import type { Running } from '../running.ts';
import { type ApiResponse, openShop, type Shop } from '../shop.ts';
import { openCustomers } from './customers.ts';
import { type Round, requestOf, type Step, type Wanted } from './steps.ts';

export interface Shown {
  readonly version: number;
  readonly content: unknown;
}

export interface Shops {
  readonly shops: readonly Shop[];
  readonly shown: ReadonlyMap<string, Shown>;
  readonly violations: readonly string[];
  readonly customers: Awaited<ReturnType<typeof openCustomers>>;
  take(round: Round): Promise<void>;
}

/** Refusals that depend on the request, or on what others have done. Any other must be that of the role or of the version. */
const possible: Partial<Record<Step['do'], readonly string[]>> = {
  template: ['VALIDATION_FAILED'],
  tag: ['TAG_TAKEN'],
  hire: ['STAFF_EXISTS', 'INSUFFICIENT_ROLE'],
  promote: ['STAFF_NOT_FOUND', 'LAST_OWNER', 'INSUFFICIENT_ROLE'],
};
const ranks: readonly Role[] = ['staff', 'manager', 'owner'];

export const keyOfObject = (shop: number, { kind, path }: Pick<Wanted, 'kind' | 'path'>): string => `${shop} ${kind} ${path}`;
/** The paths of objects that a reply shows alone: those of people are parts of a store. */
export const readable = { store: '', menu: '/menu', slots: '/slots', programme: '/programme', floor: '/floor' } as const satisfies Partial<
  Record<ObjectKind, string>
>;

export async function openShops(running: Running, provider: TestProvider, history: number): Promise<Shops> {
  running.clock.set('2026-02-20T12:00:00Z');
  const shops = [await openShop(running, { time_zone: 'Europe/London' }), await openShop(running, { time_zone: 'America/New_York' })];
  const customers = await openCustomers(running, provider, shops);
  const shown = new Map<string, Shown>();
  const violations: string[] = [];

  const versionOf = async (shop: Shop, { kind, path }: Wanted): Promise<number> => {
    if (kind !== 'staff') return (await shop.get(path)).body.version;
    const { staff } = (await shop.get('/staff')).body;
    return staff.find(({ id }: { id: string }) => path.endsWith(id))?.version ?? 0;
  };

  const takeStep = async (step: Step): Promise<void> => {
    const shop = shops[step.shop] as Shop;
    const wanted = requestOf(step, { at: running.clock.now().getTime(), history, shop: step.shop });
    const current = step.match === 'any' || wanted.method ? 0 : await versionOf(shop, wanted);
    const match = step.match === 'any' || current === 0 ? '*' : step.match === 'stale' ? current - 1 : current;
    const send = () =>
      wanted.method
        ? shop.post(wanted.path, wanted.body, { role: step.as })
        : shop.patch(wanted.path, wanted.body, { role: step.as, match });
    const replies = await Promise.all(Array.from({ length: step.callers }, send));
    for (const reply of replies) judge(step, wanted, match, reply);
  };

  const judge = (step: Step, wanted: Wanted, match: string | number, { status, body, etag }: ApiResponse) => {
    const result = status === 200 ? '200' : String(body.error?.code);
    const what = `${step.do} as ${step.as}, If-Match ${match}: ${status} ${JSON.stringify(body).slice(0, 200)}`;
    const may = ranks.indexOf(step.as) >= ranks.indexOf(wanted.role);
    const expected = [
      ...(possible[step.do] ?? []),
      ...(may ? [] : ['INSUFFICIENT_ROLE']),
      ...(match === '*' ? [] : ['VERSION_CONFLICT']),
      ...(may && (match === '*' || step.match === 'current') ? ['200'] : []),
    ];
    if (!expected.includes(result)) violations.push(what);
    if (status !== 200) return;
    if (etag !== `"${body.version}"`) violations.push(`${what}: the ETag is ${etag}`);
    if (wanted.shows && JSON.stringify(valueAt(body, wanted.shows[0])) !== JSON.stringify(wanted.shows[1]))
      violations.push(`${what}: not shown`);
    if (!(wanted.kind in readable)) return;
    const key = keyOfObject(step.shop, wanted);
    if (body.version > (shown.get(key)?.version ?? 0)) shown.set(key, { version: body.version, content: body[wanted.kind] });
  };

  return {
    shops,
    shown,
    violations,
    customers,
    async take({ steps, ofCustomers, hours }) {
      await Promise.all([...steps.map(takeStep), ...ofCustomers.map(customers.take)]);
      running.clock.advance({ hours });
      await renewTemplates(running.service.context);
    },
  };
}

const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((here, name) => {
    if (Array.isArray(here)) return here.find(({ id }) => id === name);
    return (here as Record<string, unknown> | undefined)?.[name];
  }, value);
