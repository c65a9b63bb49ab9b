/** Archives one after the other, and returns how many went. One that is archived already holds up none of the others. */
export async function archiveEach(
  cards: readonly { readonly run: string }[],
  archive: (run: string) => Promise<unknown>,
): Promise<number> {
  let done = 0;
  for (const { run } of cards) {
    try {
      await archive(run);
      done += 1;
    } catch {
      // `archive` has shown the error; that one stays where it is.
    }
  }
  return done;
}
