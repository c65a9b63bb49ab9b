/** A command that tells whether a project is sound. The engine runs it; no agent is believed instead (L4). */
export interface WardCommand {
  readonly name: WardName;
  readonly command: string;
  /** The file of the project that it was found in. */
  readonly from: string;
}

export type WardName = 'lint' | 'types' | 'test';

/** A project as far as these questions go: which files lie at its top, and what stands in them. */
export interface ProjectTop {
  readonly names: ReadonlySet<string>;
  /** Empty where it cannot be read. */
  text(name: string): string;
}
