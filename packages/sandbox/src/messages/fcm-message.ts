import { z } from 'zod';
import type { FieldViolation } from './google-refusal.ts';

const largest = 4_096;

const texts = z.record(z.string(), z.string());
const anything = z.record(z.string(), z.unknown());
const Ttl = z
  .string()
  .regex(/^\d+(\.\d{1,9})?s$/, 'Illegal duration format; duration must end with "s"')
  .refine((ttl) => Number.parseFloat(ttl) <= 28 * 86_400, 'Invalid time to live: at most four weeks');

const part = <S extends z.ZodRawShape>(fields: S) => z.preprocess(inCamelCase, z.strictObject(fields));

const Data = texts.refine(
  (data) => Object.keys(data).every((key) => !/^(from|message_type|collapse_key)$|^(google\.|gcm\.)/.test(key)),
  'Invalid data payload key',
);

const Message = part({
  name: z.string().optional(),
  token: z.string().optional(),
  topic: z.string().optional(),
  condition: z.string().optional(),
  data: Data.optional(),
  notification: part({ title: z.string().optional(), body: z.string().optional(), image: z.string().optional() }).optional(),
  android: part({
    collapseKey: z.string().optional(),
    priority: z.enum(['normal', 'high', 'NORMAL', 'HIGH']).optional(),
    ttl: Ttl.optional(),
    restrictedPackageName: z.string().optional(),
    data: Data.optional(),
    notification: part({
      title: z.string().optional(),
      body: z.string().optional(),
      icon: z.string().optional(),
      color: z
        .string()
        .regex(/^#[0-9a-f]{6}$/i)
        .optional(),
      sound: z.string().optional(),
      tag: z.string().optional(),
      clickAction: z.string().optional(),
      channelId: z.string().optional(),
      image: z.string().optional(),
      notificationPriority: z.string().optional(),
      visibility: z.string().optional(),
    }).optional(),
    fcmOptions: anything.optional(),
    directBootOk: z.boolean().optional(),
  }).optional(),
  webpush: part({
    headers: texts.optional(),
    data: texts.optional(),
    notification: anything.optional(),
    fcmOptions: anything.optional(),
  }).optional(),
  apns: part({ headers: texts.optional(), payload: anything.optional(), fcmOptions: anything.optional() }).optional(),
  fcmOptions: anything.optional(),
});

const Body = part({ validateOnly: z.boolean().optional(), message: Message });

export interface FcmMessage {
  readonly token: string;
  readonly title: string;
  readonly text: string;
  readonly data: Readonly<Record<string, string>>;
  readonly collapseKey: string | null;
  readonly validateOnly: boolean;
}

export function readFcmMessage(body: unknown): FcmMessage | { readonly wrong: FieldViolation } {
  const read = Body.safeParse(body);
  if (!read.success) return { wrong: violationOf(read.error.issues[0]) };
  const { message, validateOnly = false } = read.data;
  const { token, topic, condition, android } = message;
  if ([token, topic, condition].filter((target) => target !== undefined).length !== 1)
    return { wrong: { field: 'message', description: 'Exactly one of token, topic or condition is required' } };
  if (token === undefined) return { wrong: { field: 'message.token', description: 'Only messages to one device are simulated' } };
  if (!/^[\w:-]{8,300}$/.test(token))
    return { wrong: { field: 'message.token', description: 'The registration token is not a valid FCM registration token' } };
  const data = android?.data ?? message.data ?? {};
  const notification = { ...message.notification, ...android?.notification };
  if (bytesOf(data) + bytesOf(notification) > largest) return { wrong: { field: 'message', description: 'Android message is too big' } };
  return {
    token,
    title: notification.title ?? '',
    text: notification.body ?? '',
    data,
    collapseKey: android?.collapseKey ?? message.webpush?.headers?.Topic ?? message.apns?.headers?.['apns-collapse-id'] ?? null,
    validateOnly,
  };
}

const bytesOf = (fields: Readonly<Record<string, string | undefined>>): number =>
  Object.entries(fields).reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value ?? ''), 0);

function violationOf(issue: z.core.$ZodIssue | undefined): FieldViolation {
  const field = issue?.path.map(String).join('.') ?? '';
  if (issue?.code === 'unrecognized_keys')
    return { field, description: `Invalid JSON payload received. Unknown name "${issue.keys[0]}" at '${field}': Cannot find field.` };
  return { field, description: `Invalid value at '${field}': ${issue?.message ?? ''}` };
}

function inCamelCase(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, given]) => [key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), given]),
  );
}
