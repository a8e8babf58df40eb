/**
 * Which file belongs to which room, and which room may import which: the table behind the check and docs/architecture.md. Paths are
 * relative to the checkout.
 */
export interface Room {
  /** As other rows name it. In a service it stands for the room of that service alone. */
  readonly name: string;
  /** Files of the room. `<service>` captures the service, `<wing>` a wing of it. */
  readonly files: RegExp;
  /** Rooms it may import: of its own service (and wing, where it has wings), or of any package. */
  readonly imports: readonly string[];
  /** npm packages it may import; absent: any that its package.json declares. */
  readonly libraries?: readonly string[];
  /** Modules of Node it may import; absent: any. */
  readonly builtins?: readonly string[];
  /** Names it may not import although it may import their module, with the reason. */
  readonly refused?: { readonly names: readonly string[]; readonly why: string };
  /** Rooms of which it may import types only. */
  readonly typesOnly?: readonly string[];
  /** May not import a file of its own room: entry points do not call each other. */
  readonly apart?: true;
  /** Pure: no clock, randomness, environment or cryptography. */
  readonly pure?: true;
  /** May read `process.env`. */
  readonly environment?: true;
  readonly about: string;
}

/** A wing of a service: a subject in the words of the business, with rooms of its own. */
export interface Wing {
  /** The wings that it may import. */
  readonly imports: readonly string[];
  /** Every wing may import its rooms as its own; another wing is imported by its index.ts alone. */
  readonly kernel?: true;
  readonly about: string;
}
