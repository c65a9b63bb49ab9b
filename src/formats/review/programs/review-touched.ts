import { treeId } from '../../../core/model/ids.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import { ENGINE, type ReviewFinding } from '../rules/finding.ts';
import { findingRef } from '../rules/finding-text.ts';
import type { Ledger } from '../rules/ledger.ts';
import { stateOf } from '../rules/open-findings.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { programInput } from '../../../host/perform/programs/program-input.ts';
import { filesOfAgent, storeOf } from './agent-place.ts';
import { fileDiffs, type FileDiff } from '../../../host/perform/files/file-diffs.ts';
import { touchedSchema } from './review-input.ts';
import { withKept } from './with-kept.ts';

/** `review.touched`: which of the places that findings name a revision changed, by the files and not by anybody's word. */
export const reviewTouched: EngineProgram = async (performance, effect) => {
  const { id, agent, since, ledger } = programInput(touchedSchema, withKept(performance, effect));
  const { tree } = await filesOfAgent(performance, effect, agent);
  const files = await fileDiffs(await storeOf(performance), { before: treeId(since), after: tree });
  const findings = standing(ledger, id).map((finding) => ({ finding, how: howTouched(finding, files) }));
  const idsOf = (how: Touch): readonly string[] =>
    findings.filter((one) => one.how === how).map(({ finding }) => finding.id);
  const output: JsonObject = {
    id,
    tree,
    changed: files
      .map(({ path, added, removed, isBinary }) => ({ path, added, removed, isBinary }))
      .slice(0, MOST_FILES),
    touched: Object.fromEntries(findings.map(({ finding, how }) => [finding.id, how !== 'untouched'])),
    untouched: [...idsOf('untouched')],
    elsewhere: [...idsOf('elsewhere')],
    text: inWords(id, files, findings),
  };
  return { output };
};

const MOST_FILES = 1000;

/** What the implementer was told. Evidence decides about the engine's own, not whether a place was touched. */
const standing = (ledger: Ledger, id: string): readonly ReviewFinding[] =>
  ledger.findings.filter((finding) => {
    if (finding.by === ENGINE || (finding.implementation !== null && finding.implementation !== id)) return false;
    const state = stateOf(ledger, finding);
    return state === 'standing' || state === 'open';
  });

/** `elsewhere`: the file was changed, but far from the line. */
type Touch = 'touched' | 'elsewhere' | 'untouched';

interface Judged {
  readonly finding: ReviewFinding;
  readonly how: Touch;
}

/** A finding without a place is touched by any change. Lines are those of the files as they were reviewed. */
function howTouched({ file, line }: ReviewFinding, files: readonly FileDiff[]): Touch {
  if (file === null) return files.length > 0 ? 'touched' : 'untouched';
  const diff = files.find(({ path }) => path === file);
  if (diff === undefined) return 'untouched';
  if (line === null || diff.hunks.length === 0) return 'touched';
  const isNear = diff.hunks.some(({ before: [start, length] }) => line >= start - NEAR && line < start + length + NEAR);
  return isNear ? 'touched' : 'elsewhere';
}

const NEAR = 5;

function inWords(id: string, files: readonly FileDiff[], findings: readonly Judged[]): string {
  if (files.length === 0) return `${id} changed NOTHING in its revision.`;
  const untouched = findings.filter(({ how }) => how === 'untouched');
  const lines = [`${id} changed ${files.length} ${files.length === 1 ? 'file' : 'files'} in its revision.`];
  if (findings.length > 0 && untouched.length === findings.length)
    lines.push('It changed nothing that the findings name.');
  for (const { finding, how } of findings) {
    if (how === 'untouched') lines.push(`${findingRef(finding)} was not changed.`);
    if (how === 'elsewhere') lines.push(`${findingRef(finding)} was not changed, but other lines of the file were.`);
  }
  return lines.join('\n');
}
