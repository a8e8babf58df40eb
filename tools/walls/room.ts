/**
 * The table behind the check and docs/architecture.md. Paths are relative to the checkout. An absent list of `libraries` or `builtins`
 * allows all that package.json declares, or all of Node's.
 */
export interface Room {
  readonly name: string;
  /** `<service>` captures the service, `<wing>` a wing of it. */
  readonly files: RegExp;
  /** Rooms of its own service (and wing, where it has wings), or of any package. */
  readonly imports: readonly string[];
  readonly libraries?: readonly string[];
  readonly builtins?: readonly string[];
  /** Names it may not import although it may import their module, with the reason. */
  readonly refused?: { readonly names: readonly string[]; readonly why: string };
  readonly typesOnly?: readonly string[];
  /** Entry points do not call each other: a file may not import another of its own room. */
  readonly apart?: true;
  readonly pure?: true;
  readonly environment?: true;
  readonly about: string;
}

export interface Wing {
  readonly imports: readonly string[];
  /** Every wing may import the kernel's rooms as its own; another wing is imported by its index.ts alone. */
  readonly kernel?: true;
  readonly about: string;
}
