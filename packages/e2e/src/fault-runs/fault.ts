import type { Stage } from './stage.ts';
import type { StageKind } from './stage-servers.ts';

export interface Fault {
  readonly name: string;
  readonly about: string;
  readonly on: StageKind;
  prepare?(stage: Stage): Promise<void>;
  apply(stage: Stage, random: () => number, course: Course): Promise<void>;
}

export interface Course {
  readonly events: number;
  /**
   * Marks when all servers respond again, and measures for 20 seconds at most how fast events are processed. Without this call the
   * measurement starts when the fault ends.
   */
  answering(): Promise<void>;
  forgot(time: Span): void;
  note(sentence: string): void;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}
