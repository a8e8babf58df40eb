import type { IncomingHttpHeaders } from 'node:http2';

export class ApnsRefusal extends Error {
  readonly status: number;
  readonly reason: string;
  readonly since: Date | undefined;
  constructor(status: number, reason: string, since?: Date) {
    super(reason);
    this.status = status;
    this.reason = reason;
    this.since = since;
  }
}

export interface ApnsPush {
  readonly device: string;
  readonly topic: string;
  readonly pass: boolean;
  readonly title: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly collapseKey: string | null;
}

const pushTypes = new Set([
  'alert',
  'background',
  'complication',
  'controls',
  'fileprovider',
  'liveactivity',
  'location',
  'mdm',
  'pushtotalk',
  'voip',
  'widgets',
]);
const largest = { usual: 4_096, voip: 5_120 };
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function readApnsHead(headers: IncomingHttpHeaders, appTopic: string) {
  const { ':method': method, ':path': path = '' } = headers;
  if (!path.startsWith('/3/device/')) throw new ApnsRefusal(404, 'BadPath');
  if (method !== 'POST') throw new ApnsRefusal(405, 'MethodNotAllowed');
  const device = path.slice('/3/device/'.length);
  if (device === '') throw new ApnsRefusal(400, 'MissingDeviceToken');
  if (!/^([0-9a-f]{2}){32,100}$/i.test(device)) throw new ApnsRefusal(400, 'BadDeviceToken');

  const topic = only(headers['apns-topic']);
  if (!topic) throw new ApnsRefusal(400, 'MissingTopic');
  const pass = topic.startsWith('pass.');
  if (!pass && topic !== appTopic) throw new ApnsRefusal(400, 'DeviceTokenNotForTopic');
  const type = only(headers['apns-push-type']);
  // There is no push type for passes, and Apple accepts their pushes without one.
  if (type === undefined ? !pass : !pushTypes.has(type)) throw new ApnsRefusal(400, 'InvalidPushType');
  const priority = only(headers['apns-priority']) ?? '10';
  if (!['1', '5', '10'].includes(priority) || (type === 'background' && priority === '10')) throw new ApnsRefusal(400, 'BadPriority');
  if (!/^\d+$/.test(only(headers['apns-expiration']) ?? '0')) throw new ApnsRefusal(400, 'BadExpirationDate');
  const id = only(headers['apns-id']);
  if (id !== undefined && !uuid.test(id)) throw new ApnsRefusal(400, 'BadMessageId');
  const collapseKey = only(headers['apns-collapse-id']) ?? null;
  if (collapseKey !== null && Buffer.byteLength(collapseKey) > 64) throw new ApnsRefusal(400, 'BadCollapseId');
  return { device: device.toLowerCase(), topic, pass, type, collapseKey };
}

export function readApnsPush({ type, ...head }: ReturnType<typeof readApnsHead>, body: Buffer): ApnsPush {
  if (body.length === 0) throw new ApnsRefusal(400, 'PayloadEmpty');
  if (body.length > (type === 'voip' ? largest.voip : largest.usual)) throw new ApnsRefusal(413, 'PayloadTooLarge');
  const { aps, ...data } = payloadOf(body);
  const alert = aps?.alert;
  if (type === 'alert' && !alert && aps?.badge === undefined && aps?.sound === undefined) throw new ApnsRefusal(400, 'PayloadEmpty');
  const { title = '', body: text = '' } = typeof alert === 'object' ? alert : { body: alert };
  return { ...head, title, text, data };
}

interface Payload {
  readonly aps?: {
    readonly alert?: string | { readonly title?: string; readonly body?: string };
    readonly badge?: unknown;
    readonly sound?: unknown;
  };
  readonly [field: string]: unknown;
}

function payloadOf(body: Buffer): Payload {
  try {
    const payload: unknown = JSON.parse(body.toString());
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload as Payload;
  } catch {}
  throw new ApnsRefusal(400, 'PayloadEmpty');
}

const only = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header);
