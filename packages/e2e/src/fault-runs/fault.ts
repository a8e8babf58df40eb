import type { Stage } from './stage.ts';
import type { StageKind } from './stage-servers.ts';

export interface Fault {
  readonly name: string;
  /** Completes "While …": what happens, in words. */
  readonly about: string;
  readonly on: StageKind;
  /** Makes what the fault needs before visitors come. It is called before each seed. */
  prepare?(stage: Stage): Promise<void>;
  /** Applies the fault, and resolves when it is over and everything that it ended runs again. */
  apply(stage: Stage, random: () => number, course: Course): Promise<void>;
}

export interface Course {
  /** Events that each receiver of webhooks is to get, where the fault is about them. */
  readonly events: number;
  /**
   * Marks when all servers respond again, and measures how fast events are processed, 20 seconds at most. Else it is measured from the end.
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
