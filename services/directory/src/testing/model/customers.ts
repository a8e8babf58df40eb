import { randomUUID } from 'node:crypto';
import { beginErasure, customerErased, erasingServices, exportCustomerOf, type Role, rpcSubject } from '@corner/contracts';
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { sql } from 'slonik';
import { z } from 'zod';
import { exchange, refresh, type TestProvider } from '../provider.ts';
import type { Running } from '../running.ts';
import type { ApiResponse, Shop } from '../shop.ts';

const who = fc.constantFrom('ada', 'zed', 'zed');
const callers = fc.constantFrom(1, 1, 2);
const fields = ['name', 'email', 'phone', 'language'] as const;

/** The steps about customers, each with its weight and its random fields. Zed may be erased. */
const stepKinds = {
  profile: [5, { who, field: fc.constantFrom(...fields), n: fc.nat({ max: 9 }), callers }],
  membership: [
    3,
    { who, shop: fc.nat({ max: 1 }), as: fc.constantFrom<Role>('manager', 'staff'), plan: fc.constantFrom('gold', 'silver', null) },
  ],
  look: [2, { who, shop: fc.nat({ max: 1 }), callers }],
  refresh: [2, { who }],
  export: [1, { who }],
  ask: [1, { shop: fc.nat({ max: 1 }) }],
  erase: [1, { by: fc.constantFrom('customer', 'operator'), callers }],
} as const;

type StepKinds = typeof stepKinds;
type Draw<Fields> = { readonly [F in keyof Fields]: Fields[F] extends fc.Arbitrary<infer T> ? T : never };
export type CustomerStep = { [K in keyof StepKinds]: { readonly do: K } & Draw<StepKinds[K][1]> }[keyof StepKinds];

export const customerStep = fc.oneof(
  ...Object.entries(stepKinds).map(([kind, [weight, drawn]]) => ({
    weight,
    arbitrary: fc.record({ do: fc.constant(kind), ...(drawn as object) }, { noNullPrototype: true }),
  })),
) as fc.Arbitrary<unknown> as fc.Arbitrary<CustomerStep>;

/**
 * A customer who has signed in. Each value that names them contains `mark`. `reads`: by staff and by the customer, which the record must
 * have.
 */
interface Customer {
  readonly id: string;
  readonly mark: string;
  refreshToken: string;
  reads: number;
}

export async function openCustomers(running: Running, provider: TestProvider, shops: readonly Shop[]) {
  const people = { ada: await signIn('ada'), zed: await signIn('zed') };
  const wrong: string[] = [];
  const receipts = new Set<string>();
  let erased: 'no' | 'now' | 'before' = 'no';

  async function signIn(name: string): Promise<Customer> {
    const mark = `${name}${randomUUID().slice(0, 8)}`;
    const claims = { sub: `subject-of-${mark}`, name: mark, email: `${mark}@example.com`, email_verified: true };
    const { body } = await exchange(running, await provider.idToken(claims));
    return { id: String(decodeJwt(body.access_token).sub), mark, refreshToken: body.refresh_token, reads: 0 };
  }
  const isErased = (name: string) => name === 'zed' && erased !== 'no';
  /** Adds a reply that must not be. An erased customer is refused with `refusal`, from the next round on always. */
  const judge = (what: string, name: string, { status, body }: ApiResponse, refusal: string, ...possible: readonly string[]): boolean => {
    const result = status === 200 ? '200' : String(body.error?.code);
    const expected = [...(isErased(name) ? [refusal] : []), ...(isErased(name) && erased === 'before' ? [] : ['200']), ...possible];
    if (!expected.includes(result)) wrong.push(`${what} of ${name}, erased ${erased}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
    return status === 200;
  };
  const send = async (name: 'ada' | 'zed') => ({ token: await running.issuer.token({ typ: 'customer', sub: people[name].id }) });

  type Actions = { readonly [K in CustomerStep['do']]: (step: Extract<CustomerStep, { do: K }>) => Promise<unknown> };
  const actions: Actions = {
    async profile({ who: name, field, n }) {
      const { mark } = people[name];
      const value = { name: `${mark} ${n}`, email: `${mark}${n}@example.com`, phone: `+4477009${n}`, language: ['en', 'fr'][n % 2] }[field];
      const reply = await shops[0]?.patch('//me', { [field]: value }, await send(name));
      if (reply && judge(`a new ${field}`, name, reply, 'UNAUTHENTICATED') && reply.body.profile[field] !== value)
        wrong.push(`${field} of ${name} is not shown`);
    },
    async membership({ who: name, shop, as, plan }) {
      const membership = plan === null ? null : { status: 'active', plan };
      const reply = await shops[shop]?.patch(`/customers/${people[name].id}`, { membership }, { role: as });
      // Ending a membership that is gone already changes nothing.
      const ended = plan === null ? ['200'] : [];
      if (reply) judge('a membership', name, reply, 'CUSTOMER_NOT_FOUND', ...ended, ...(as === 'staff' ? ['INSUFFICIENT_ROLE'] : []));
    },
    async look({ who: name, shop }) {
      const reply = await shops[shop]?.get(`/customers/${people[name].id}`);
      if (reply?.status === 200) people[name].reads += 1;
      if (reply && erased === 'before' && name === 'zed' && reply.body.membership) wrong.push('an erased customer has a membership');
    },
    async refresh({ who: name }) {
      const { status, body } = await refresh(running, people[name].refreshToken);
      if (status === 200) people[name].refreshToken = body.refresh_token;
      if (status === 200 && name === 'zed' && erased === 'before') wrong.push('an erased customer has a session');
    },
    async export({ who: name }) {
      const reply = await shops[0]?.get('//me/export', await send(name));
      if (reply?.status !== 200) return void wrong.push(`an export of ${name}: ${JSON.stringify(reply?.body)}`);
      people[name].reads += 1;
      const hasName = JSON.stringify(reply.body).includes(people[name].mark);
      if (hasName === (name === 'zed' && erased === 'before') && erased !== 'now')
        wrong.push(`an export of ${name}, erased ${erased}, names them: ${hasName}`);
    },
    async ask({ shop }) {
      const reply = await shops[shop]?.post(`/customers/${people.zed.id}/erasure-requests`, {});
      if (reply && judge('a request', 'ada', reply, '')) receipts.add(reply.body.receipt);
    },
    async erase({ by }) {
      if (erased === 'no') erased = 'now';
      if (by === 'operator') {
        const { output } = await running.call(beginErasure, { customer_id: people.zed.id, by: 'olu' });
        return void receipts.add(String(output?.receipt));
      }
      const { token } = await send('zed');
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() };
      const reply = await fetch(`${running.service.url}/api/v1/directory/me`, { method: 'DELETE', headers });
      receipts.add(((await reply.json()) as { receipt: string }).receipt);
    },
  };

  return {
    take: (step: CustomerStep): Promise<unknown> =>
      Promise.all(
        Array.from({ length: 'callers' in step ? step.callers : 1 }, () =>
          (actions[step.do] as (step: CustomerStep) => Promise<unknown>)(step),
        ),
      ),
    async violations(): Promise<readonly string[]> {
      const recorded = await running.service.database.any(sql.type(z.object({ customer_id: z.string(), count: z.number() }))`
        select customer_id, count(*) from data_access where customer_id in (${people.ada.id}, ${people.zed.id}) group by 1`);
      for (const { id, mark, reads } of Object.values(people)) {
        const count = recorded.find(({ customer_id }) => customer_id === id)?.count ?? 0;
        if (count !== reads) wrong.push(`${count} reads of ${mark} are recorded, and ${reads} were made`);
      }
      if (receipts.size > 1) wrong.push(`an erasure has the receipts ${[...receipts].join(', ')}`);
      if (erased === 'no') return wrong;
      erased = 'before';
      const sequences = await running.service.database.anyFirst(sql.type(z.object({ sequence: z.number() }))`
        select aggregate_sequence as sequence from outbox where aggregate_id = ${people.zed.id} and type = ${customerErased.type}`);
      if (sequences.join() !== '1') wrong.push(`the erasure was published as ${sequences.join()}`);
      wrong.push(...(await running.tablesWith(people.zed.mark)).map((table) => `${table} names an erased customer`));
      const numbered = (await running.tablesWith(people.zed.id)).filter((table) => !keptNumbers.includes(table));
      return [...wrong, ...numbered.map((table) => `${table} has the number of an erased customer`)];
    },
  };
}

/**
 * Tables that keep an erased customer's id: the emptied profile and its history without values, the record of reads, and published events.
 */
const keptNumbers = ['change', 'data_access', 'erased_customer', 'erasure', 'idempotency_key', 'object', 'outbox'];

export async function answerExports({ service }: Running): Promise<void> {
  const { broker } = await service.backbone;
  for (const name of erasingServices)
    broker.connection.subscribe(broker.subject(rpcSubject(exportCustomerOf(name))), {
      callback: (_error, request) => void request.respond(JSON.stringify({ output: { section: 'nothing', rows: [], next: null } })),
    });
  await broker.connection.flush();
}
