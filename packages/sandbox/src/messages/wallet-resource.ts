import { z } from 'zod';
import type { FieldViolation } from './google-refusal.ts';

export const walletKinds = ['loyaltyClass', 'loyaltyObject'] as const;
export type WalletKind = (typeof walletKinds)[number];
export type WalletResource = Readonly<Record<string, unknown>> & { readonly id: string };

const Id = z.string().regex(/^\d{1,20}\.[\w.-]{1,200}$/, 'Invalid resource ID');
const text = z.string().min(1);
const LocalizedString = z.looseObject({ defaultValue: z.strictObject({ language: text, value: z.string() }) });
const Image = z.strictObject({ sourceUri: z.strictObject({ uri: z.url() }), contentDescription: LocalizedString.optional() });
const TextModule = z.strictObject({ id: text.optional(), header: z.string().optional(), body: z.string().optional() });
const DateTime = z.strictObject({ date: z.iso.datetime({ offset: true, local: true }) });
const Barcode = z.strictObject({
  type: z.enum(['AZTEC', 'CODE_39', 'CODE_128', 'DATA_MATRIX', 'EAN_8', 'EAN_13', 'ITF_14', 'PDF_417', 'QR_CODE', 'TEXT_ONLY', 'UPC_A']),
  value: text,
  alternateText: z.string().optional(),
});
const Balance = z
  .strictObject({ string: z.string(), int: z.int(), double: z.number(), money: z.looseObject({ currencyCode: text }) })
  .partial()
  .refine((balance) => Object.keys(balance).length === 1, 'Exactly one kind of balance must be set');

const shapes: Readonly<Record<WalletKind, z.ZodType>> = {
  loyaltyClass: z.strictObject({
    id: Id,
    issuerName: text.max(200),
    programName: text.max(200),
    programLogo: Image,
    hexBackgroundColor: z
      .string()
      .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i)
      .optional(),
    countryCode: z.string().length(2).optional(),
    heroImage: Image.optional(),
    textModulesData: z.array(TextModule).optional(),
    reviewStatus: z.enum(['UNDER_REVIEW', 'DRAFT']),
  }),
  loyaltyObject: z.strictObject({
    id: Id,
    classId: Id,
    state: z.enum(['ACTIVE', 'COMPLETED', 'EXPIRED', 'INACTIVE']),
    accountId: z.string().optional(),
    accountName: z.string().optional(),
    loyaltyPoints: z.strictObject({ label: z.string().optional(), balance: Balance }).optional(),
    textModulesData: z.array(TextModule).optional(),
    barcode: Barcode.optional(),
    validTimeInterval: z.strictObject({ start: DateTime.optional(), end: DateTime.optional() }).optional(),
    heroImage: Image.optional(),
    hasUsers: z.boolean().optional(),
  }),
};

export function readWalletResource(
  kind: WalletKind,
  given: unknown,
): { readonly resource: WalletResource } | { readonly wrong: FieldViolation } {
  const read = shapes[kind].safeParse(given);
  if (read.success) return { resource: read.data as WalletResource };
  const [issue] = read.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  const description =
    issue?.code === 'unrecognized_keys'
      ? `Invalid JSON payload received. Unknown name "${issue.keys[0]}" at '${field}': Cannot find field.`
      : `Invalid value at '${field}': ${issue?.message ?? ''}`;
  return { wrong: { field, description } };
}

export function patched(kept: unknown, change: unknown): unknown {
  if (!isObject(kept) || !isObject(change)) return change;
  const merged = Object.entries(change).map(([name, value]) => [name, patched(kept[name], value)]);
  return Object.fromEntries(Object.entries({ ...kept, ...Object.fromEntries(merged) }).filter(([, value]) => value !== null));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
