/** The parts a person watches come up, in the order they read best. */
export const watchedParts = ['postgres', 'nats', 'payments', 'messages', 'services', 'gateway', 'demo'] as const;
export type WatchedPart = (typeof watchedParts)[number];

/** What is known of a part at this moment. */
export interface PartProgress {
  readonly part: WatchedPart;
  readonly done: boolean;
  /** Version, where it is worth knowing. */
  readonly version?: string;
  /** A port or an address. */
  readonly where?: string;
  /** Figures, or what is being done. */
  readonly detail: string;
  /** Milliseconds it took. */
  readonly ms?: number;
}

export type Report = (progress: PartProgress) => void;
