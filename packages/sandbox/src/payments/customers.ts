import { mergeMetadata, readParameters } from './parameters.ts';
import { noSuch, StripeRefusal } from './refusal.ts';
import type { Customer, EphemeralKey } from './stripe-shapes.ts';
import { type Call, seconds, type World } from './world.ts';

const fields = {
  address: 'any',
  description: 'string',
  email: 'string',
  expand: 'any',
  metadata: 'metadata',
  name: 'string',
  phone: 'string',
  preferred_locales: 'any',
  shipping: 'any',
} as const;

export function createCustomer(call: Call, world: World): Customer {
  const given = readParameters(call.form, fields);
  const customer = world.books.put<Customer>({
    id: world.newId('cus_', 14),
    object: 'customer',
    balance: 0,
    created: seconds(world.now()),
    description: given.description ?? null,
    email: given.email ?? null,
    livemode: false,
    metadata: mergeMetadata({}, given.metadata),
    name: given.name ?? null,
    phone: given.phone ?? null,
  });
  world.publish('customer.created', customer);
  return customer;
}

/** The books keep the id alone, for the payments; a second deletion finds no customer. */
export function deleteCustomer({ ids: [id = ''] }: Call, world: World): Pick<Customer, 'id' | 'object'> & { readonly deleted: true } {
  const customer = world.books.get('customer', id);
  if (!customer || isDeleted(customer)) throw noSuch('customer', id, 'id');
  const nothing = { description: null, email: null, name: null, phone: null, metadata: { deleted: 'true' } } as const;
  world.publish('customer.deleted', world.books.put<Customer>({ ...customer, ...nothing }));
  return { id, object: 'customer', deleted: true };
}

export const isDeleted = ({ metadata }: Customer): boolean => metadata.deleted === 'true';

const lifeSeconds = 3600;

export function createEphemeralKey(call: Call, world: World): EphemeralKey & { readonly secret: string } {
  const given = readParameters(call.form, { customer: 'string', expand: 'any' });
  if (call.stripeVersion === undefined) {
    throw new StripeRefusal(400, 'You must pass the Stripe-Version header, with the API version your mobile SDK is pinned to.');
  }
  if (given.customer === undefined) {
    throw new StripeRefusal(400, 'Must provide customer when creating an ephemeral key.', { code: 'parameter_missing', param: 'customer' });
  }
  const customer = world.books.get('customer', given.customer);
  if (!customer) throw noSuch('customer', given.customer, 'customer', 400);
  const created = seconds(world.now());
  const key = world.books.put<EphemeralKey>({
    id: world.newId('ephkey_1'),
    object: 'ephemeral_key',
    api_version: call.stripeVersion,
    associated_objects: [{ type: 'customer', id: customer.id }],
    created,
    expires: created + lifeSeconds,
    livemode: false,
  });
  return { ...key, secret: world.newId('ek_test_', 64) };
}
