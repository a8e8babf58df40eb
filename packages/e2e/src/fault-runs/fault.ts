import type { Stage } from './stage.ts';
import type { StageKind } from './stage-servers.ts';

export interface Fault {
  readonly name: string;
  /** Completes "While …". */
  readonly about: string;
  readonly on: StageKind;
  /** Prepares the stage before visits begin. Called once per seed. */
  prepare?(stage: Stage): Promise<void>;
  /** Applies the fault, and resolves when it is over and everything it ended runs again. */
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
  /** Marks a time whose commits a database has lost. */
  forgot(time: Span): void;
  note(sentence: string): void;
}

/** Two moments of `performance.now()`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}
