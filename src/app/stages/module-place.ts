/** Where the code of a module lies. */
export interface ModulePlace {
  readonly path: string;
  /** Of the module and all that it imports by a path. */
  readonly hash: string;
  /** The folder of the run that keeps a copy of it; null for the module itself. */
  readonly keptIn: string | null;
}
