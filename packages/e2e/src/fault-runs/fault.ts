import type { Stage } from './stage.ts';
import type { StageKind } from './stage-servers.ts';

/** Something that goes wrong while the platform is used. */
export interface Fault {
  readonly name: string;
  /** Completes "While …": what happens, in words. */
  readonly about: string;
  /** The system that it needs. */
  readonly on: StageKind;
  /** Makes what the fault needs before visitors come. It is called before each seed. */
  prepare?(stage: Stage): Promise<void>;
  /** Applies the fault, and resolves when it is over and everything that it ended runs again. */
  apply(stage: Stage, random: () => number, course: Course): Promise<void>;
}

/** What a fault reports while it is applied. */
export interface Course {
  /**
   * Says that all servers answer again, and measures from now on how fast events are processed. Resolves when they are, or after 20
   * seconds. A fault that does not call it is measured from its end.
   */
  answering(): Promise<void>;
  /** Says that a database has forgotten what it committed in this time. */
  forgot(time: Span): void;
  /** Keeps a sentence about what was drawn or seen, for the log. */
  note(sentence: string): void;
}

/** Two moments of `performance.now()`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}
