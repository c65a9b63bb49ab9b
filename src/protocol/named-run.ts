/** Whoever wrote a hint or a question into a workflow did not know which run it would be: what can be copied names it. */
export const namedRun = (text: string, run: string): string =>
  text.replaceAll(/\b(troupe [a-z]+) RUN\b/g, (_whole, command: string) => `${command} ${run}`);
