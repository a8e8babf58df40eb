export const farSides = ['smtp', 'fcm', 'apns', 'token', 'google-wallet'] as const;
/** A far side of messages; `token` is the endpoint that gives out access tokens for FCM and Google Wallet. */
export type FarSide = (typeof farSides)[number];

/**
 * What a far side does instead of taking a message: `unavailable` (SMTP 451, else 503), `too_many` (SMTP 450, else 429),
 * `refused` (SMTP 550, FCM 404 UNREGISTERED, APNs 410, else 403), `hang_up` before it has the message, and
 * `hang_up_after`: it has the message, and its answer is lost.
 */
export const messageFaultKinds = ['unavailable', 'too_many', 'refused', 'hang_up', 'hang_up_after'] as const;
export type MessageFaultKind = (typeof messageFaultKinds)[number];

export interface MessageFault {
  readonly at: FarSide;
  readonly how: MessageFaultKind;
  /** Only messages to this address, device or object; any when absent. */
  readonly to?: string | undefined;
  /** How many messages it befalls; 1 when absent. */
  readonly times?: number | undefined;
  /** What a 429 or 503 over HTTP says in Retry-After; nothing when absent. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The failures still to come, and the devices that are gone. */
export function createMessageFaults() {
  let planned: { readonly fault: MessageFault; left: number }[] = [];
  const dropped = new Map<string, Date>();
  return {
    plan(fault: MessageFault): void {
      planned.push({ fault, left: fault.times ?? 1 });
    },
    /** Forgets failures still to come, and has dropped devices back. */
    clear(): void {
      planned = [];
      dropped.clear();
    },
    /** The fault this message meets, which is then used up once. */
    take(at: FarSide, to: string): MessageFault | undefined {
      const met = planned.find(({ fault }) => fault.at === at && (fault.to ?? to) === to);
      if (!met) return undefined;
      met.left -= 1;
      if (met.left <= 0) planned = planned.filter((one) => one !== met);
      return met.fault;
    },
    dropDevice(token: string, at: Date): void {
      dropped.set(token, at);
    },
    /** Since when a device is gone. */
    droppedAt: (token: string): Date | undefined => dropped.get(token),
  };
}

export type MessageFaults = ReturnType<typeof createMessageFaults>;
