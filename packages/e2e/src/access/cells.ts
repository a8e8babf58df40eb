import { type AnyOperation, operations, type ProblemCode, type Role } from '@corner/contracts';
import { documentedOperations, type Schema } from '../fuzz/openapi-document.ts';

export const places = ['own', 'of another merchant', 'dark', 'unknown'] as const;
export type Place = (typeof places)[number];

export interface AccessCaller {
  readonly name: string;
  readonly token: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null when the token proves nothing; absent without a token. */
  readonly proven?: {
    readonly typ: 'customer' | 'merchant' | 'staff' | 'partner';
    readonly stores?: Readonly<Partial<Record<Place, Role>>>;
    readonly lacksScopes?: true;
    readonly ownsRecords?: true;
  } | null;
}

/** `hidden`: refused as a record that does not exist. */
export type Expected = 'allowed' | 'hidden' | 'NOT_FOUND' | (typeof callerProblems)[number];

export const callerProblems = [
  'UNAUTHENTICATED',
  'WRONG_TOKEN_TYPE',
  'INSUFFICIENT_SCOPE',
  'STORE_FORBIDDEN',
  'INSUFFICIENT_ROLE',
] as const satisfies readonly ProblemCode[];

export interface Cell {
  readonly operation: AnyOperation;
  readonly caller: AccessCaller;
  readonly place: Place;
  readonly expected: Expected;
}

const storeFields = ['store_id', 'storeId', 'store_code'] as const;

/** The kind of record that a field names. `operation.field` is a field of that operation alone. */
export const recordFields = {
  orderId: 'order',
  order_id: 'order',
  payment_intent_id: 'intent',
  printer_id: 'printer',
  request_id: 'request',
  stamp_id: 'stamp',
  voucher_id: 'voucher',
  'redeemVoucherByCode.code': 'voucher code',
  'lookUpVoucher.code': 'voucher code',
  entry_id: 'entry',
  device_id: 'device',
  booking_id: 'booking',
  appointment_id: 'appointment',
  session_id: 'class',
  weekly_class_id: 'weekly class',
  staff_id: 'staff',
  invitation_id: 'invitation',
  partner_id: 'partner',
  webhook_id: 'webhook',
  campaign_id: 'campaign',
} as const;
export type RecordKind = (typeof recordFields)[keyof typeof recordFields];

const openIds: ReadonlySet<string> = new Set([
  ...storeFields,
  'expected_store_id',
  'customer_id',
  'client_id',
  'menu_item_id',
  'booking_deposit_item_id',
  'slot_id',
  'service_id',
  'chair_id',
  'unit_id',
  'preferred_unit_id',
  'refund_attempt_id',
  'before_id',
  'id',
]);

/** Operations of merchants and staff that name no store: they create one, list the caller's own, or carry their proof in the body. */
const ofNoStore: ReadonlySet<string> = new Set(['createStore', 'listDirectoryStores', 'acceptInvitation', 'lookUpInvitation']);

const exampleFields = ({ example }: AnyOperation): readonly string[] =>
  [example.params, example.query, example.body].flatMap((part) => Object.keys((part as object | undefined) ?? {}));

export const storeFieldsOf = (operation: AnyOperation): readonly string[] =>
  storeFields.filter((field) => exampleFields(operation).includes(field));

const recordOf = (name: string, field: string): RecordKind | undefined =>
  (recordFields as Readonly<Record<string, RecordKind>>)[`${name}.${field}`] ??
  (recordFields as Readonly<Record<string, RecordKind>>)[field];

export const recordFieldsOf = (operation: AnyOperation): readonly (readonly [field: string, kind: RecordKind])[] =>
  exampleFields(operation).flatMap((field) => {
    const kind = recordOf(operation.name, field);
    return kind ? [[field, kind] as const] : [];
  });

export function undecided(): string[] {
  const fieldsOf = ({ properties = {}, anyOf = [], oneOf = [] }: Schema): string[] => [
    ...Object.keys(properties),
    ...[...anyOf, ...oneOf].flatMap(fieldsOf),
  ];
  return operations.flatMap((operation: AnyOperation) => {
    const { name, caller } = operation;
    const documented = documentedOperations.find(({ id }) => id === name);
    if (!documented) return [`${name} is not in openapi.json`];
    const named = documented.parameters.filter((parameter) => parameter.in !== 'header').map((parameter) => parameter.name);
    const fields = [...named, ...(documented.body ? fieldsOf(documented.body) : [])];
    const ids = fields.filter((field) => /id$/i.test(field) && !openIds.has(field) && !recordOf(name, field));
    const ofStore = exampleFields(operation).includes('store_id');
    return [
      ...ids.map((field) => `${name}: say in recordFields or openIds whose the field ${field} is`),
      ...(caller.types.includes('customer') || ofStore || ofNoStore.has(name) ? [] : [`${name}: no store_id authorises its callers`]),
      ...(caller.role && !ofStore ? [`${name}: a role is of a store, and the example has no store_id`] : []),
    ];
  });
}

export function expectedOf(operation: AnyOperation, { proven }: AccessCaller, place: Place): Expected {
  const { types, optional, partner, ...rule } = operation.caller;
  if (proven === null || (proven === undefined && !optional)) return 'UNAUTHENTICATED';
  const isKnown = proven && (proven.typ === 'partner' ? partner !== undefined : types.includes(proven.typ));
  const known = isKnown ? proven : undefined;
  const { scope, role: least } = known?.typ === 'partner' ? { scope: partner } : rule;
  if (!known && !optional) return 'WRONG_TOKEN_TYPE';
  if (scope && known?.lacksScopes) return 'INSUFFICIENT_SCOPE';
  const named = storeFieldsOf(operation).length > 0;
  if (known && known.typ !== 'customer' && named) {
    const role = known.stores?.[place];
    if (!role) return 'STORE_FORBIDDEN';
    if (least && rank[role] < rank[least]) return 'INSUFFICIENT_ROLE';
  }
  const isOwn = place === 'own' && (known?.typ === 'customer' || !known ? known?.ownsRecords === true : true);
  const notFound = operation.problems.some((code) => code.endsWith('_NOT_FOUND'));
  if (recordFieldsOf(operation).length > 0 && !isOwn) return notFound ? 'NOT_FOUND' : 'hidden';
  return named && place === 'unknown' && (operation.problems as readonly string[]).includes('STORE_NOT_FOUND') ? 'NOT_FOUND' : 'allowed';
}

const rank: Readonly<Record<Role, number>> = { staff: 0, manager: 1, owner: 2 };

/** Each operation by each caller at each store. An operation has one cell where its request names no store or the token proves nothing. */
export const cellsOf = (callers: readonly AccessCaller[]): readonly Cell[] =>
  operations.flatMap((operation: AnyOperation) =>
    callers.flatMap((caller) =>
      places
        .filter((place) => place === 'own' || (caller.proven !== null && storeFieldsOf(operation).length > 0))
        .map((place) => ({ operation, caller, place, expected: expectedOf(operation, caller, place) })),
    ),
  );
