import type { Stage } from './stage.ts';
import type { StageKind } from './stage-servers.ts';

/** Something that goes wrong while the platform is used. */
export interface Fault {
  readonly name: string;
  /** Completes "While …": what happens, in words. */
  readonly about: string;
  /** The system that it needs. */
  readonly on: StageKind;
  /** Applies the fault, and resolves when it is over and everything that it ended runs again. */
  apply(stage: Stage, random: () => number): Promise<void>;
}
