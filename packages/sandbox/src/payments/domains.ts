import { isIP } from 'node:net';
import { type Readings, readParameters, required } from './parameters.ts';
import { badParameter, noSuch } from './refusal.ts';
import type { PaymentMethodDomain } from './stripe-shapes.ts';
import { type Call, seconds, type World } from './world.ts';

const active = { status: 'active' } as const;
const applePay = ({ apple }: World): PaymentMethodDomain['apple_pay'] =>
  apple.reachesDomains
    ? active
    : { status: 'inactive', status_details: { error_message: 'The domain could not be verified with Apple: its file was not found.' } };

export function createDomain(call: Call, world: World): PaymentMethodDomain {
  const given = readParameters(call.form, { domain_name: 'string', enabled: 'boolean', expand: 'any' } as const satisfies Readings);
  const domain_name = required(given, 'domain_name');
  if (!/^([a-z0-9-]{1,63}\.)+[a-z]{2,}$/i.test(domain_name) || isIP(domain_name) > 0 || domain_name.endsWith('.localhost')) {
    throw badParameter('domain_name', `Invalid domain name: ${domain_name}. It must be a public domain, without scheme, port and path.`);
  }
  const known = world.books.all('payment_method_domain').find((one) => one.domain_name === domain_name);
  if (known) return known;
  return world.books.put<PaymentMethodDomain>({
    id: world.newId('pmd_1'),
    object: 'payment_method_domain',
    created: seconds(world.now()),
    domain_name,
    livemode: false,
    enabled: given.enabled ?? true,
    apple_pay: applePay(world),
    amazon_pay: active,
    google_pay: active,
    klarna: active,
    link: active,
    paypal: active,
  });
}

export function validateDomain(call: Call, world: World): PaymentMethodDomain {
  readParameters(call.form, { expand: 'any' });
  const id = call.ids[0] ?? '';
  const domain = world.books.get('payment_method_domain', id);
  if (!domain) throw noSuch('payment_method_domain', id, 'payment_method_domain');
  return world.books.put<PaymentMethodDomain>({ ...domain, apple_pay: applePay(world) });
}
