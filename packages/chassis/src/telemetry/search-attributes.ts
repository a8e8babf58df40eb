import { type Attributes, trace } from '@opentelemetry/api';

/** Never add one with personal data or a credential, such as `entry_id`. */
const attributeOf: Readonly<Record<string, string>> = {
  store_id: 'corner.store.id',
  storeId: 'corner.store.id',
  customer_id: 'corner.customer.id',
  order_id: 'corner.order.id',
  orderId: 'corner.order.id',
  order_number: 'corner.order.number',
  voucher_id: 'corner.voucher.id',
  stamp_id: 'corner.stamp.id',
  refund_id: 'corner.refund.id',
};

/** An id of ours, or an order's number. A caller may write anything into a field of that name, a secret too. */
const isId = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z][A-Z0-9]{0,11}-[A-Z0-9]{1,12})$/;

/** Returns the attributes of the server for the span of a call to it; none for an invalid URL. */
export function peerAttributes(address: string): Attributes {
  if (!URL.canParse(address)) return {};
  const { hostname, port, protocol } = new URL(address);
  const portNumber = Number(port) || defaultPorts[protocol];
  return { 'server.address': hostname, ...(portNumber ? { 'server.port': portNumber } : {}) };
}

const defaultPorts: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80, 'smtp:': 25, 'smtps:': 465 };

/** Only top-level fields of the parts are used. */
export function searchAttributes(...parts: readonly unknown[]): Attributes {
  const attributes: Attributes = {};
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue;
    for (const field in part) {
      const attribute = attributeOf[field];
      const value = attribute && (part as Readonly<Record<string, unknown>>)[field];
      if (typeof value === 'string' && isId.test(value)) attributes[attribute as string] = value;
    }
  }
  return attributes;
}

/** `read` is called only when the active span is recorded. */
export function annotateSpan(read: () => Attributes): void {
  const span = trace.getActiveSpan();
  if (span?.isRecording()) span.setAttributes(read());
}

export const rpcAttributes = ({ name, service }: { readonly name: string; readonly service: string }): Attributes => ({
  'rpc.system.name': 'nats',
  'rpc.method': `${service}/${name.slice(service.length + 1)}`,
});
