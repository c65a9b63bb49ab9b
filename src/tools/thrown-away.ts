/** What an agent is told about what a program wrote on a workspace that its role may not write; empty when there was none. */
export function thrownAway(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const some = paths.slice(0, 10).join(', ');
  return `\n[Your role may not write: changes to ${paths.length} paths were thrown away (${some}${paths.length > 10 ? ', …' : ''})]`;
}
