import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { FormParts } from './form.ts';

export type Exchange =
  | {
      readonly line: string;
      readonly form: FormParts;
      readonly isDevice: boolean;
      readonly status: number;
      readonly body: string;
    }
  | { readonly event: object };
export type Observe = (exchange: Exchange) => void;

export interface Exchanges {
  readonly observe: Observe;
  seen(): { readonly routes: ReadonlySet<string>; readonly events: ReadonlySet<string> };
  deviations(): Promise<readonly string[]>;
}

const types: Readonly<Record<string, readonly [parameters: string, response: string]>> = {
  'POST payment_intents': ['PaymentIntentCreateParams', 'PaymentIntent'],
  'GET payment_intents': ['PaymentIntentListParams', 'ApiList<Stripe.PaymentIntent>'],
  'GET payment_intents/:id': ['PaymentIntentRetrieveParams', 'PaymentIntent'],
  'POST payment_intents/:id/confirm': ['PaymentIntentConfirmParams', 'PaymentIntent'],
  'POST payment_intents/:id/cancel': ['PaymentIntentCancelParams', 'PaymentIntent'],
  'POST refunds': ['RefundCreateParams', 'Refund'],
  'GET refunds': ['RefundListParams', 'ApiList<Stripe.Refund>'],
  'GET refunds/:id': ['RefundRetrieveParams', 'Refund'],
  'POST customers': ['CustomerCreateParams', 'Customer'],
  'GET customers': ['CustomerListParams', 'ApiList<Stripe.Customer>'],
  'GET customers/:id': ['CustomerRetrieveParams', 'Customer'],
  'DELETE customers/:id': ['CustomerDeleteParams', 'DeletedCustomer'],
  'POST ephemeral_keys': ['EphemeralKeyCreateParams', 'EphemeralKey'],
  'GET charges': ['ChargeListParams', 'ApiList<Stripe.Charge>'],
  'GET charges/:id': ['ChargeRetrieveParams', 'Charge'],
  'POST transfers': ['TransferCreateParams', 'Transfer'],
  'GET transfers': ['TransferListParams', 'ApiList<Stripe.Transfer>'],
  'GET transfers/:id': ['TransferRetrieveParams', 'Transfer'],
  'POST transfers/:id/reversals': ['TransferCreateReversalParams', 'TransferReversal'],
  'GET transfers/:id/reversals': ['TransferListReversalsParams', 'ApiList<Stripe.TransferReversal>'],
  'GET application_fees': ['ApplicationFeeListParams', 'ApiList<Stripe.ApplicationFee>'],
  'GET application_fees/:id': ['ApplicationFeeRetrieveParams', 'ApplicationFee'],
  'GET disputes': ['DisputeListParams', 'ApiList<Stripe.Dispute>'],
  'GET disputes/:id': ['DisputeRetrieveParams', 'Dispute'],
  'POST disputes/:id': ['DisputeUpdateParams', 'Dispute'],
  'GET balance_transactions': ['BalanceTransactionListParams', 'ApiList<Stripe.BalanceTransaction>'],
  'GET balance_transactions/:id': ['BalanceTransactionRetrieveParams', 'BalanceTransaction'],
  'GET payouts': ['PayoutListParams', 'ApiList<Stripe.Payout>'],
  'GET balance': ['BalanceRetrieveParams', 'Balance'],
  'POST v2/core/accounts': ['V2.Core.AccountCreateParams', 'V2.Core.Account'],
  'GET v2/core/accounts': ['V2.Core.AccountListParams', 'V2List<Stripe.V2.Core.Account>'],
  'POST v2/core/account_links': ['V2.Core.AccountLinkCreateParams', 'V2.Core.AccountLink'],
  'GET accounts': ['AccountListParams', 'ApiList<Stripe.Account>'],
  'GET accounts/:id': ['AccountRetrieveParams', 'Account'],
  'POST payment_method_domains': ['PaymentMethodDomainCreateParams', 'PaymentMethodDomain'],
  'GET payment_method_domains': ['PaymentMethodDomainListParams', 'ApiList<Stripe.PaymentMethodDomain>'],
  'POST payment_method_domains/:id/validate': ['PaymentMethodDomainValidateParams', 'PaymentMethodDomain'],
  'GET events': ['EventListParams', 'ApiList<Stripe.Event>'],
  'GET events/:id': ['EventRetrieveParams', 'Event'],
};

export function recordExchanges(): Exchanges {
  const values = new Map<string, string>();
  const routes = new Set<string>();
  const events = new Set<string>();
  const note = (type: string, value: unknown, what: string) => values.set(`(${JSON.stringify(plain(value))}) satisfies ${type};`, what);
  return {
    observe(exchange) {
      if ('event' in exchange) {
        const { type, object } = exchange.event as { readonly type: string; readonly object: string };
        events.add(type);
        return void note(object === 'event' ? 'Stripe.Event' : 'Thin', exchange.event, `event ${type}`);
      }
      const { line, form, isDevice, status, body } = exchange;
      const [parameters, response] = types[line] ?? ['unknown', 'unknown'];
      if (status === 200) {
        routes.add(line);
        const { client_secret: _secret, ...ofPlatform } = form;
        note(`Form<Stripe.${parameters}>`, isDevice ? ofPlatform : form, `request ${line}`);
      }
      const type = status !== 200 ? '{ error: Refusal }' : isDevice ? `Partial<Stripe.${response}>` : `Stripe.${response}`;
      note(type, JSON.parse(body), `response ${status} ${line}`);
    },
    seen: () => ({ routes, events }),
    deviations: () => check([...values]),
  };
}

function plain(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(plain(one))))].map((one): unknown => JSON.parse(one));
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return /^-?\d+$/.test(value) ? '0' : /^[a-z][a-z0-9_.[\]]*$/.test(value) && !isId.test(value) ? value : '';
  if (typeof value !== 'object' || value === null) return value;
  if (name === 'metadata') return {};
  const parts = Object.entries(value).map(([key, part]) => [key, plain(part, key)] as const);
  const isList = parts.length > 0 && parts.every(([key], index) => key === String(index));
  return isList ? [...new Map(parts.map(([, part]) => [JSON.stringify(part), part])).values()] : Object.fromEntries(parts);
}
const isId = /^[a-z]+_(test_)?[A-Za-z0-9]*\d[A-Za-z0-9]*$/;

const head = `import type { Stripe } from 'stripe';
type Refusal = Omit<Stripe.StripeRawError, 'type' | 'headers' | 'statusCode' | 'requestId'> & { type?: Stripe.RawErrorType };
type Thin<N = Stripe.V2.Core.EventNotification> = N extends { type: string } ? Omit<N, 'context' | 'fetchEvent' | 'fetchRelatedObject'> : never;
type Form<T> = T extends number ? \`\${number}\` : T extends boolean ? \`\${T}\` : T extends string | null | undefined ? T
  : T extends readonly (infer U)[] ? Form<U>[] : { [K in keyof T]: Form<T[K]> };
`;

async function check(values: readonly (readonly [line: string, what: string])[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'corner-stripe-types-'));
  try {
    const library = fileURLToPath(import.meta.resolve('stripe')).replace(/\.js$/, '.d.ts');
    const compilerOptions = {
      target: 'es2024',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      paths: { stripe: [library] },
      types: ['node'],
      typeRoots: [join(rootOf('@types/node'), '..')],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['seen.ts'] }));
    await writeFile(join(folder, 'seen.ts'), head + values.map(([line]) => `${line}\n`).join(''));
    const tsc = join(rootOf('typescript'), 'bin/tsc');
    const run = promisify(execFile)(process.execPath, [tsc, '--pretty', 'false', '-p', folder], { maxBuffer: 2 ** 26 });
    const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
    return [
      ...new Set(
        stdout
          .split(/\n(?! )/)
          .filter(Boolean)
          .map((line) => named(line, values)),
      ),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

function named(line: string, values: readonly (readonly [line: string, what: string])[]): string {
  const [, at, message] = /^.*seen\.ts\((\d+),\d+\): error (.*)$/s.exec(line) ?? [];
  return message === undefined ? line : `${values[Number(at) - head.split('\n').length]?.[1]}: ${message}`;
}

const rootOf = (library: string): string => dirname(createRequire(import.meta.url).resolve(`${library}/package.json`));
