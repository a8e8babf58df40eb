export const messageProviders = ['smtp', 'fcm', 'apns', 'twilio', 'twilio-list', 'token', 'google-wallet', 'web-push'] as const;
export type MessageProvider = (typeof messageProviders)[number];

/**
 * A provider's response instead of accepting: `unavailable` (SMTP 451, else 503), `too_many` (SMTP 450, else 429), `refused` (SMTP 550, FCM
 * 404 UNREGISTERED, APNs and Web Push 410, Twilio 400 with code 21610, else 403), `hang_up` before accepting, or `hang_up_after`, losing
 * the response.
 */
export const messageFaultKinds = ['unavailable', 'too_many', 'refused', 'hang_up', 'hang_up_after'] as const;
export type MessageFaultKind = (typeof messageFaultKinds)[number];

export interface MessageFault {
  readonly at: MessageProvider;
  readonly how: MessageFaultKind;
  readonly to?: string | undefined;
  readonly times?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

export function createMessageFaults() {
  let planned: { readonly fault: MessageFault; left: number }[] = [];
  const dropped = new Map<string, Date>();
  return {
    plan(fault: MessageFault): void {
      planned.push({ fault, left: fault.times ?? 1 });
    },
    clear(): void {
      planned = [];
      dropped.clear();
    },
    take(at: MessageProvider, to: string): MessageFault | undefined {
      const met = planned.find(({ fault }) => fault.at === at && (fault.to ?? to) === to);
      if (!met) return undefined;
      met.left -= 1;
      if (met.left <= 0) planned = planned.filter((one) => one !== met);
      return met.fault;
    },
    dropDevice(token: string, at: Date): void {
      dropped.set(token, at);
    },
    droppedAt: (token: string): Date | undefined => dropped.get(token),
  };
}

export type MessageFaults = ReturnType<typeof createMessageFaults>;
