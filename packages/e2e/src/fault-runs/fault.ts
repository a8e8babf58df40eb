import type { Stage } from './stage.ts';
import type { StageKind } from './stage-servers.ts';

export interface Fault {
  readonly name: string;
  /** Completes "While …". */
  readonly about: string;
  readonly on: StageKind;
  prepare?(stage: Stage): Promise<void>;
  apply(stage: Stage, random: () => number, course: Course): Promise<void>;
}

export interface Course {
  /** Events that each receiver of webhooks must get, in faults about webhooks. */
  readonly events: number;
  /**
   * Marks when all servers respond again, and measures for 20 seconds at most how fast events are processed. Without this call the
   * measurement starts when the fault ends.
   */
  answering(): Promise<void>;
  forgot(time: Span): void;
  note(sentence: string): void;
}

/** Two moments of `performance.now()`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}
