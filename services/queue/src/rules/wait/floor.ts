/** A stretch of time, in epoch milliseconds, without its end. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A chair and when it works. */
export interface Chair {
  readonly id: string;
  readonly serviceIds: readonly string[];
  readonly shifts: readonly Span[];
  readonly breaks: readonly Span[];
}

export interface Service {
  readonly id: string;
  readonly minutes: number;
  /** Minutes the chair needs after it. */
  readonly bufferMinutes: number;
}

/** What takes a chair's time. */
export interface Taken extends Span {
  readonly chairId: string;
  /** Somebody is in the chair: it is busy until they are out, whatever the diary says. */
  readonly started: boolean;
}

/** A store's chairs and diary at one moment. */
export interface Floor {
  readonly now: number;
  /** Nobody begins at this instant or later. */
  readonly closesAt: number;
  /** In the order the store gave them: the first is what somebody without a wish gets. */
  readonly services: readonly Service[];
  /** In the order the store gave them, which settles ties. */
  readonly chairs: readonly Chair[];
  readonly taken: readonly Taken[];
}

/** Somebody to be placed. */
export interface Party {
  readonly serviceId: string | null;
  readonly chairId: string | null;
  readonly size: number;
}
