/**
 * A fault of a request: `error_before` and `error_after` respond with a stored 500, without or with the effect; `lost_before` and
 * `lost_after` close the connection; `rate_limited` responds with 429.
 */
export const faultKinds = ['error_before', 'error_after', 'lost_before', 'lost_after', 'rate_limited'] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  readonly how: FaultKind;
  readonly method?: 'GET' | 'POST' | undefined;
  readonly path?: string | undefined;
  readonly times?: number | undefined;
}

export function createFaults() {
  let planned: { readonly fault: Fault; left: number }[] = [];
  return {
    plan(fault: Fault): void {
      planned.push({ fault, left: fault.times ?? 1 });
    },
    clear(): void {
      planned = [];
    },
    take(method: string, path: string): FaultKind | undefined {
      const met = planned.find(({ fault }) => (fault.method ?? method) === method && path.includes(fault.path ?? ''));
      if (!met) return undefined;
      met.left -= 1;
      if (met.left <= 0) planned = planned.filter((one) => one !== met);
      return met.fault.how;
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;
