import type { DecisionFact, DeliveryFact } from '../../core/record/delivery-fact.ts';
import type { Fact, RunResumed, TermsChanged } from '../../core/record/fact.ts';
import type { RunRewound } from '../../core/record/rewound-fact.ts';
import type { FilesChanged, FilesFact, ProjectChanged, RedactedFile } from '../../core/record/files-fact.ts';
import type { RunTerms } from '../../core/model/run-terms.ts';
import { counted } from '../../protocol/amounts.ts';
import type { Style } from './colour.ts';
import { handedText } from './result-fields.ts';
import { oneLine } from '../../protocol/plain-text.ts';

/** A sentence for facts about files, and for acts on a run from outside its workflow; null for all others. */
export function filesText(fact: Fact): string | null {
  const describe = TEXTS[fact.kind as Story['kind']] as ((one: Fact) => string | null) | undefined;
  const text = describe?.(fact) ?? null;
  return text === null ? null : oneLine(text, 400);
}

export const filesStyle = (fact: Fact): Style | null => STYLES[fact.kind] ?? null;

/** Facts that the end of a run repeats, and bookkeeping. */
export const isFilesDetail = (fact: Fact): boolean =>
  DETAILS.has(fact.kind) ||
  (fact.kind === 'delivery.started' && fact.verify === undefined) ||
  (fact.kind === 'files.changed' && fact.why === 'merge' && fact.redacted === undefined);

const DETAILS: ReadonlySet<Fact['kind']> = new Set([
  'workspace.made',
  'resource.leased',
  'delivery.finished',
  'delivery.failed',
]);

const STYLES: Readonly<Partial<Record<Fact['kind'], Style>>> = {
  'workspace.made': 'dim',
  'resource.leased': 'dim',
  'files.changed': 'yellow',
  'project.changed': 'bold',
  'delivery.started': 'dim',
  'delivery.finished': 'bold',
  'delivery.failed': 'red',
  'result.discarded': 'bold',
  'run.archived': 'dim',
  'run.paused': 'yellow',
  'terms.changed': 'bold',
  'run.continued': 'bold',
  'run.forked': 'bold',
  'run.redefined': 'bold',
  'run.rewound': 'yellow',
  'rollback.started': 'yellow',
};

type Story = FilesFact | RunRewound | DeliveryFact | DecisionFact | RunResumed | TermsChanged;

const TEXTS: { readonly [Kind in Story['kind']]?: (fact: Extract<Story, { kind: Kind }>) => string | null } = {
  'workspace.made': ({ workspace, again }) =>
    again === undefined ? `workspace ${workspace} made` : `workspace ${workspace} was missing and was restored`,
  'resource.leased': ({ workspace, values }) =>
    `workspace ${workspace} has ${Object.entries(values)
      .map(([name, value]) => `${name}=${value}`)
      .join(', ')}`,
  'files.changed': changedText,
  'project.changed': projectText,
  'delivery.started': ({ verify, by, isAsked }) => {
    const who = isAsked === true ? `${by}: ` : '';
    return `${who}${verify === undefined ? 'delivers the result' : `checks the result with \`${verify}\`, then delivers it`}`;
  },
  'delivery.finished': (fact) => `the result ${handedText(fact)}`,
  'delivery.failed': ({ failure: { code, message } }) => `the result is not delivered, ${code}: ${message}`,
  'result.discarded': ({ by, isUndone }) =>
    isUndone === true ? `${by} undid the discard of the result` : `${by} discarded the result`,
  'run.archived': ({ by, isUndone }) =>
    `${by} ${isUndone === true ? 'took the run out of the archive' : 'archived the run'}`,
  'run.paused': ({ by, reason, failure }) =>
    failure === undefined ? `paused by ${by}: ${reason}` : `paused, ${failure.code}: ${reason}`,
  'run.resumed': ({ sandbox, changed }) =>
    changed === undefined ? null : `${changed.by} changed the sandbox from ${changed.from} to ${sandbox}`,
  'terms.changed': ({ by, terms }) => `${by} changed what becomes of the result: ${termsText(terms)}`,
  'run.continued': () => 'continues',
  'run.forked': ({ from, by }) => `fork of run ${from.run} at record ${from.seq}, made by ${by}`,
  'run.redefined': ({ by, definition }) => `${by} lets it continue with another definition: ${definition.slice(0, 12)}`,
  'run.rewound': ({ to, by, state }) => `${by} put ${state === null ? 'its files' : 'the run'} back to record ${to}`,
  'rollback.started': ({ outcome }) => `${outcome}: the files go back to what they were before the run`,
};

/** Null for an agent's own changes, which are shown with its work. */
function changedText(fact: FilesChanged): string | null {
  const { redacted = [] } = fact;
  return redacted.length === 0
    ? plainChange(fact)
    : `a secret was taken out of ${redacted.map(redactedText).join(', ')}`;
}

export function redactedText({ path, line, secret, isLeftOut }: RedactedFile): string {
  const where = line === null ? path : `${path}:${line}`;
  return `${where} (${secret}${isLeftOut === true ? '; too large, so its change is left out' : ''})`;
}

function plainChange({ why, workspace, from }: FilesChanged): string | null {
  switch (why) {
    case 'outside':
      return `the workspace ${workspace} was changed from outside the run`;
    case 'merge':
      return from === undefined ? null : `${from} merged into ${workspace}`;
    case 'conflict':
      return `in conflict with ${from ?? 'another workspace'}: both sides are in the workspace ${workspace}`;
    case 'rollback':
      return `the workspace ${workspace} was put back`;
    default:
      return null;
  }
}

function termsText({ delivery, setup }: RunTerms): string {
  const { to, verify, allowsPartial, allowsSteering, copyTo } = delivery ?? {};
  const parts = [
    to === undefined ? null : to.kind === 'apply' ? 'applied to the project' : 'a branch or a patch',
    verify === undefined ? null : `after \`${verify}\``,
    allowsPartial === true ? 'also a partial one' : null,
    allowsSteering === true ? 'with files that steer programs' : null,
    copyTo === undefined ? null : `copied to ${copyTo}`,
    setup === false ? 'no setup' : null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

function projectText({ how, by, kept, isBeginning }: ProjectChanged): string | null {
  if (isBeginning === true) return `${by} begins to put the changes into the project`;
  const what = how === 'applied' ? 'put the changes into the project' : 'took the changes out of the project';
  return `${by} ${what}${kept.length === 0 ? '' : `; ${counted(kept.length, 'path')} kept: changed meanwhile`}`;
}
