// Notes of single families on changed files. A further family is a line here.
export { FindingNote, FindingsElsewhere } from './review/finding-note.tsx';
export { areSameFindings, findingsOf, placeFindings } from './review/findings-of.ts';
export type { PlacedFindings, RunFinding } from './review/findings-of.ts';
