/** Puts the run's id into copyable commands: the author of a workflow's hint or question could not know it. */
export const namedRun = (text: string, run: string): string =>
  text.replaceAll(/\b(troupe [a-z]+) RUN\b/g, (_whole, command: string) => `${command} ${run}`);
