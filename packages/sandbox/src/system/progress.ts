/** The parts whose start is reported, in the order of the report. */
export const watchedParts = ['postgres', 'nats', 'payments', 'messages', 'services', 'gateway', 'console', 'demo'] as const;
export type WatchedPart = (typeof watchedParts)[number];

/** What is known of a part at this moment. */
export interface PartProgress {
  readonly part: WatchedPart;
  readonly done: boolean;
  /** Its version, where there is one. */
  readonly version?: string;
  /** A port or an address. */
  readonly where?: string;
  /** What has been counted, or what is being done. */
  readonly detail: string;
  /** Milliseconds it took. */
  readonly ms?: number;
}

export type Report = (progress: PartProgress) => void;
