/** How much an implementation changes. */
export interface ChangeSize {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly binary: number;
}
